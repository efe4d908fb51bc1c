package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.simulation.PendingWork.Work;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A run of a scenario. It collects all actions that could happen next, and chance selects one. The
 * clock moves a little with each action, and to the next due time if no action is ready.
 *
 * <p>There is one thread. Between two effects of a node, others act on top of its stack; the node
 * continues when they have returned.
 */
final class Simulation {

    private static final Duration MAX_ACTION_DURATION = Duration.ofMillis(30);
    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(10);
    private static final int MAX_ACTIONS_PER_STEP = 3_000;
    private static final int MAX_OVERTAKING_DEPTH = 2;
    private static final int MAX_GATHERING_DEPTH = 20;

    private final DurableState engine;
    private final SeededRandom random;
    private final Invariants invariants;
    private final SimulatedUsers users;
    private final Consumer<Supplier<String>> trace;
    private final PendingWork pendingWork;
    private final SimulatedNodes nodes;
    private final ActiveCloudFaults cloudFaults = new ActiveCloudFaults();
    private boolean healed;
    private Instant nextRetries = Instant.MAX;
    private Instant lastCleanup = VirtualClock.BEGINNING;
    private int overtakingDepth;
    private int gatheringDepth;
    private long actions;
    private long tracedEvents;

    private Simulation(Scenario scenario, EngineParts parts, Consumer<Supplier<String>> trace) {
        this.trace = trace;
        this.engine = new DurableState(scenario, parts, this::handleEffect);
        this.random = engine.random().split();
        this.invariants = new Invariants(engine);
        this.users = new SimulatedUsers(engine, invariants);
        this.pendingWork = new PendingWork(engine, this::executeStep);
        this.nodes = new SimulatedNodes(engine, new Meanwhile());
        engine.cloud().misbehave(cloudFaults::nextFault);
        engine.eventLog().whenCommitted(this::handleCommit);
    }

    /** Runs a scenario, and returns the violation, if there is one. */
    static Outcome run(Scenario scenario, EngineParts parts, Consumer<Supplier<String>> trace) {
        return new Simulation(scenario, parts, trace).run();
    }

    /** Returns all events of a run, in order. */
    static List<DomainEventMessage<?>> allEvents(Scenario scenario, EngineParts parts) {
        Simulation simulation = new Simulation(scenario, parts, _ -> {});
        simulation.run();
        return simulation.engine.eventLog().after(0);
    }

    /**
     * The outcome of a run.
     *
     * @param complaint the violation; null if there is none
     * @param ended the virtual time at the end, or at the violation
     * @param events the number of stored events
     * @param digest a hash of all events: the same for the same scenario
     */
    record Outcome(
            @Nullable String complaint, Instant ended, long events, long actions, int digest) {}

    private Outcome run() {
        Node first = nodes.get(0);
        runWork(
                new Work(
                        first,
                        "all hosts are enrolled",
                        () -> users.enrolAll(first.process().commands())));
        boolean goesOn = true;
        while (goesOn && invariants.firstViolation().isEmpty()) {
            goesOn = actOrWait(Instant.MAX);
        }
        if (invariants.firstViolation().isEmpty()) {
            invariants.checkFinalState();
        }
        return new Outcome(
                invariants.firstViolation().orElse(null),
                engine.clock().instant(),
                engine.eventLog().head(),
                actions,
                digest());
    }

    private int digest() {
        int digest = (int) actions;
        for (var event : engine.eventLog().after(0)) {
            digest =
                    31 * digest
                            + (event.getIdentifier() + event.getTimestamp() + event.getPayload())
                                    .hashCode();
        }
        return digest;
    }

    /** Runs an action, or moves the time; returns false if nothing will ever happen by itself. */
    private boolean actOrWait(Instant atMost) {
        nodes.applyDueChanges();
        List<Work> ready = findReadyWork(null);
        if (!ready.isEmpty()) {
            runWork(random.of(ready));
            return true;
        }
        if (!healed && !pendingWork.hasSteps()) {
            endFaults();
            return true;
        }
        Instant now = engine.clock().instant();
        Optional<Instant> next =
                Stream.of(
                                pendingWork.nextTimes(),
                                nodes.nextTimes(),
                                Stream.of(nextRetries, atMost))
                        .flatMap(times -> times)
                        .filter(now::isBefore)
                        .filter(instant -> instant.isBefore(Instant.MAX))
                        .min(Instant::compareTo);
        if (healed && pendingWork.isDone() && atMost.equals(Instant.MAX)) {
            return false;
        }
        next.ifPresent(engine.clock()::forwardTo);
        if (healed && !nextRetries.isAfter(engine.clock().instant())) {
            retry();
        }
        deleteOldState();
        return next.isPresent();
    }

    /** Returns the work that any node but the busy one could do now. */
    private List<Work> findReadyWork(@Nullable Node busy) {
        List<Work> ready = new ArrayList<>();
        for (Node node : nodes.all()) {
            if (node.isFree() && !node.equals(busy)) {
                ready.addAll(pendingWork.workFor(node));
            }
        }
        return ready;
    }

    private void runWork(Work work) {
        actions++;
        if (actions > (long) MAX_ACTIONS_PER_STEP * (engine.scenario().steps().size() + 20)) {
            invariants.reportViolation("it never comes to rest");
        }
        engine.clock().forward(random.upTo(MAX_ACTION_DURATION));
        Node node = work.node();
        traceLine(() -> node.name() + ": " + work.what());
        try {
            work.action().run();
        } catch (NodeDeath killed) {
            traceLine(killed::getMessage);
            invariants.excuseLatenessUntil(nodes.markSilent(node));
        }
        invariants.checkServers();
    }

    private void traceLine(Supplier<String> what) {
        trace.accept(() -> engine.clock().instant() + " " + what.get());
    }

    private void handleCommit() {
        engine.eventLog()
                .after(tracedEvents)
                .forEach(
                        message -> {
                            tracedEvents++;
                            traceLine(() -> "    " + message.getPayload());
                        });
        invariants.checkCommit();
    }

    private void handleEffect(Effect effect) {
        traceLine(() -> "the cloud: " + effect);
        invariants.checkEffect(effect);
    }

    private void executeStep(Node node) {
        Step step = pendingWork.takeStep();
        traceLine(step::toString);
        switch (step) {
            case Step.ByClient byClient ->
                    runOrPutBack(
                            step, () -> users.executeStep(byClient, node.process().commands()));
            case Step.ByOperator byOperator ->
                    runOrPutBack(
                            step, () -> users.executeStep(byOperator, node.process().commands()));
            case Step.Fault fault -> executeStep(fault);
        }
    }

    /** Repeats a request that gets no response. */
    private void runOrPutBack(Step step, Runnable request) {
        try {
            request.run();
        } catch (NodeDeath unanswered) {
            pendingWork.putBack(step);
            throw unanswered;
        }
    }

    private void executeStep(Step.Fault fault) {
        Instant now = engine.clock().instant();
        switch (fault) {
            case Step.Kill kill -> {
                Node node = nodes.get(kill.node());
                node.dieAfter(kill.passings());
                nodes.scheduleRestart(node, now.plus(kill.downtime()));
                invariants.excuseLatenessUntil(
                        now.plus(kill.downtime()).plus(SimulatedNodes.DETECTION_TIME));
            }
            case Step.Pause pause ->
                    nodes.get(pause.node()).pauseAfter(pause.passings(), pause.duration());
            case Step.Misbehave misbehave -> cloudFaults.add(misbehave);
            case Step.Stall stall -> {
                pendingWork.stall(stall.part(), now.plus(stall.duration()));
                invariants.excuseLatenessUntil(now.plus(stall.duration()));
            }
        }
    }

    /** The work of others between two effects of a node. */
    private final class Meanwhile implements Node.Others {

        @Override
        public void letOthersAct(Node busy) {
            if (overtakingDepth < MAX_OVERTAKING_DEPTH && random.onceIn(4)) {
                overtakingDepth++;
                runOutsideTransactions(() -> runRandomWork(findReadyWork(busy)));
                overtakingDepth--;
            }
        }

        @Override
        public void collectCommands(Node node) {
            if (gatheringDepth < MAX_GATHERING_DEPTH && node.isFree() && !random.onceIn(3)) {
                gatheringDepth++;
                runOutsideTransactions(() -> runRandomWork(pendingWork.workFor(node)));
                gatheringDepth--;
            }
        }

        @Override
        public boolean canPause() {
            return overtakingDepth == 0;
        }

        @Override
        public void letOthersActFor(Node node, Duration pause) {
            Instant end = engine.clock().instant().plus(pause);
            traceLine(() -> node.name() + " stands still until " + end);
            nodes.markSilent(node);
            runOutsideTransactions(
                    () -> {
                        while (invariants.firstViolation().isEmpty()
                                && engine.clock().instant().isBefore(end)) {
                            actOrWait(end);
                        }
                    });
            nodes.markRunning(node);
            invariants.excuseLatenessUntil(engine.clock().instant());
            traceLine(() -> node.name() + " goes on");
        }
    }

    private void runRandomWork(List<Work> ready) {
        if (!ready.isEmpty()) {
            runWork(random.of(ready));
        }
    }

    /** Runs an action as another thread would, outside of all transactions. */
    private void runOutsideTransactions(Runnable action) {
        Deque<UnitOfWork<?>> units = new ArrayDeque<>();
        while (CurrentUnitOfWork.isStarted()) {
            units.push(CurrentUnitOfWork.get());
            CurrentUnitOfWork.clear(units.peek());
        }
        try {
            new InMemoryTransactions(engine.log(), () -> {}).aside(action);
        } finally {
            units.forEach(CurrentUnitOfWork::set);
        }
    }

    private void deleteOldState() {
        Instant before = engine.clock().instant().minus(DurableState.RETENTION);
        if (lastCleanup.plus(DurableState.RETENTION).isBefore(before)) {
            lastCleanup = before;
            nodes.get(0).process().deleteOldClaims();
            invariants.expectedState().promises().removeEndedBefore(before);
        }
    }

    /** Ends all faults after the last step, so that all pending work comes to its end. */
    private void endFaults() {
        healed = true;
        cloudFaults.clear();
        pendingWork.endStalls();
        nodes.scheduleAllRestarts();
        nodes.applyDueChanges();
        retry();
    }

    private void retry() {
        nextRetries = engine.clock().instant().plus(RETRY_INTERVAL);
        nodes.all().stream()
                .filter(Node::isFree)
                .findFirst()
                .ifPresent(
                        node ->
                                runWork(
                                        new Work(
                                                node,
                                                "the operator",
                                                () -> enableAndRetryAll(node))));
    }

    private void enableAndRetryAll(Node node) {
        users.enableAll(node.process().commands());
        users.retryAll(node.process().commands());
    }
}
