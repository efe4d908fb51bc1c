package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.simulation.PendingWork.Work;
import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.SeededRandom;
import org.leasehold.simulation.scenario.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
    private final SimulatedOperator operator;
    private final Consumer<Supplier<String>> trace;
    private final PendingWork pendingWork;
    private final SimulatedNodes nodes;
    private final SimulatedFaults faults;
    private final TransactionSuspension suspension;
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
        CommandContexts contexts = new CommandContexts(engine.clock());
        this.users = new SimulatedUsers(engine, invariants, contexts);
        this.operator = new SimulatedOperator(engine, invariants, users, contexts);
        this.pendingWork = new PendingWork(engine, this::executeStep);
        this.nodes = new SimulatedNodes(engine, new Meanwhile());
        this.faults = new SimulatedFaults(engine, nodes, pendingWork, invariants.lateness());
        this.suspension = new TransactionSuspension(engine.log());
        engine.cloud().misbehave(faults::nextCloudFault);
        engine.eventLog().whenCommitted(this::handleCommit);
    }

    /** Runs a scenario, and returns the violation, if there is one. */
    static SimulationOutcome run(
            Scenario scenario, EngineParts parts, Consumer<Supplier<String>> trace) {
        return new Simulation(scenario, parts, trace).run();
    }

    /** Returns all events of a run, in order. */
    static List<DomainEventMessage<?>> allEvents(Scenario scenario, EngineParts parts) {
        Simulation simulation = new Simulation(scenario, parts, _ -> {});
        simulation.run();
        return simulation.engine.eventLog().after(0);
    }

    private SimulationOutcome run() {
        SimulatedNode first = nodes.get(0);
        runWork(
                new Work(
                        first,
                        "all hosts are enrolled",
                        () -> operator.enrolAll(first.process().commands())));
        boolean goesOn = true;
        while (goesOn && invariants.firstViolation().isEmpty()) {
            goesOn = actOrWait(Instant.MAX);
        }
        if (invariants.firstViolation().isEmpty()) {
            invariants.checkFinalState();
        }
        return SimulationOutcome.of(invariants.firstViolation().orElse(null), engine, actions);
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
    private List<Work> findReadyWork(@Nullable SimulatedNode busy) {
        List<Work> ready = new ArrayList<>();
        for (SimulatedNode node : nodes.all()) {
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
        SimulatedNode node = work.node();
        traceLine(() -> node.name() + ": " + work.what());
        try {
            work.action().run();
        } catch (NodeDeath killed) {
            traceLine(killed::getMessage);
            invariants.lateness().excuseUntil(nodes.markSilent(node));
        }
        invariants.cloud().checkServers();
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
        invariants.cloud().checkEffect(effect);
    }

    private void executeStep(SimulatedNode node) {
        Step step = pendingWork.takeStep();
        traceLine(step::toString);
        switch (step) {
            case Step.ByClient byClient ->
                    runOrPutBack(
                            step, () -> users.executeStep(byClient, node.process().commands()));
            case Step.ByOperator byOperator ->
                    runOrPutBack(
                            step,
                            () -> operator.executeStep(byOperator, node.process().commands()));
            case Step.Fault fault -> faults.start(fault);
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

    /** The work of others between two effects of a node. */
    private final class Meanwhile implements SimulatedNode.Others {

        @Override
        public void letOthersAct(SimulatedNode busy) {
            if (overtakingDepth < MAX_OVERTAKING_DEPTH && random.onceIn(4)) {
                overtakingDepth++;
                suspension.run(() -> runRandomWork(findReadyWork(busy)));
                overtakingDepth--;
            }
        }

        @Override
        public void collectCommands(SimulatedNode node) {
            if (gatheringDepth < MAX_GATHERING_DEPTH && node.isFree() && !random.onceIn(3)) {
                gatheringDepth++;
                suspension.run(() -> runRandomWork(pendingWork.workFor(node)));
                gatheringDepth--;
            }
        }

        @Override
        public boolean canPause() {
            return overtakingDepth == 0;
        }

        @Override
        public void letOthersActFor(SimulatedNode node, Duration pause) {
            Instant end = engine.clock().instant().plus(pause);
            traceLine(() -> node.name() + " stands still until " + end);
            nodes.markSilent(node);
            suspension.run(
                    () -> {
                        while (invariants.firstViolation().isEmpty()
                                && engine.clock().instant().isBefore(end)) {
                            actOrWait(end);
                        }
                    });
            nodes.markRunning(node);
            invariants.lateness().excuseUntil(engine.clock().instant());
            traceLine(() -> node.name() + " goes on");
        }
    }

    private void runRandomWork(List<Work> ready) {
        if (!ready.isEmpty()) {
            runWork(random.of(ready));
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
        faults.endAll();
        nodes.applyDueChanges();
        retry();
    }

    private void retry() {
        nextRetries = engine.clock().instant().plus(RETRY_INTERVAL);
        nodes.all().stream()
                .filter(SimulatedNode::isFree)
                .findFirst()
                .ifPresent(
                        node ->
                                runWork(
                                        new Work(
                                                node,
                                                "the operator",
                                                () -> enableAndRetryAll(node))));
    }

    private void enableAndRetryAll(SimulatedNode node) {
        operator.enableAll(node.process().commands());
        operator.retryAll(node.process().commands());
    }
}
