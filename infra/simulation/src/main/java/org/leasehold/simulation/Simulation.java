package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.memory.InMemoryTransactions;
import org.leasehold.resource.simulator.SimulatedCloud.Effect;
import org.leasehold.simulation.Agenda.Work;

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

    private static final Duration LONGEST_ACTION = Duration.ofMillis(30);
    private static final Duration RETRIES = Duration.ofMinutes(10);
    private static final int MOST_ACTIONS_PER_STEP = 3_000;
    private static final int MOST_OVERTAKING = 2;
    private static final int MOST_GATHERING = 20;

    private final Engine engine;
    private final Chance chance;
    private final Invariants invariants;
    private final Outside outside;
    private final Consumer<Supplier<String>> trace;
    private final Agenda agenda;
    private final Machines machines;
    private final Troubles troubles = new Troubles();
    private boolean healed;
    private Instant nextRetries = Instant.MAX;
    private Instant forgotten = VirtualClock.BEGINNING;
    private int overtaking;
    private int gathering;
    private long actions;
    private long told;

    private Simulation(Scenario scenario, Parts parts, Consumer<Supplier<String>> trace) {
        this.trace = trace;
        this.engine = new Engine(scenario, parts, this::effect);
        this.chance = engine.chance().split();
        this.invariants = new Invariants(engine);
        this.outside = new Outside(engine, invariants);
        this.agenda = new Agenda(engine, this::take);
        this.machines = new Machines(engine, new Meanwhile());
        engine.cloud().misbehave(troubles::meet);
        engine.journal().whenCommitted(this::committed);
    }

    /** Runs a scenario, and returns the violation, if there is one. */
    static Outcome run(Scenario scenario, Parts parts, Consumer<Supplier<String>> trace) {
        return new Simulation(scenario, parts, trace).run();
    }

    /** Returns all events of a run, in order. */
    static List<DomainEventMessage<?>> history(Scenario scenario, Parts parts) {
        Simulation simulation = new Simulation(scenario, parts, _ -> {});
        simulation.run();
        return simulation.engine.journal().after(0);
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
        Node first = machines.get(0);
        act(
                new Work(
                        first,
                        "all hosts are enrolled",
                        () -> outside.enrolAll(first.process().commands())));
        boolean goesOn = true;
        while (goesOn && invariants.complaint().isEmpty()) {
            goesOn = actOrWait(Instant.MAX);
        }
        if (invariants.complaint().isEmpty()) {
            invariants.quiet();
        }
        return new Outcome(
                invariants.complaint().orElse(null),
                engine.clock().instant(),
                engine.journal().head(),
                actions,
                digest());
    }

    private int digest() {
        int digest = (int) actions;
        for (var event : engine.journal().after(0)) {
            digest =
                    31 * digest
                            + (event.getIdentifier() + event.getTimestamp() + event.getPayload())
                                    .hashCode();
        }
        return digest;
    }

    /** Runs an action, or moves the time; returns false if nothing will ever happen by itself. */
    private boolean actOrWait(Instant atMost) {
        machines.settle();
        List<Work> ready = ready(null);
        if (!ready.isEmpty()) {
            act(chance.of(ready));
            return true;
        }
        if (!healed && !agenda.hasSteps()) {
            heal();
            return true;
        }
        Instant now = engine.clock().instant();
        Optional<Instant> next =
                Stream.of(agenda.next(), machines.next(), Stream.of(nextRetries, atMost))
                        .flatMap(times -> times)
                        .filter(now::isBefore)
                        .filter(instant -> instant.isBefore(Instant.MAX))
                        .min(Instant::compareTo);
        if (healed && agenda.isDone() && atMost.equals(Instant.MAX)) {
            return false;
        }
        next.ifPresent(engine.clock()::forwardTo);
        if (healed && !nextRetries.isAfter(engine.clock().instant())) {
            retry();
        }
        forget();
        return next.isPresent();
    }

    /** Returns the work that any node but the busy one could do now. */
    private List<Work> ready(@Nullable Node busy) {
        List<Work> ready = new ArrayList<>();
        for (Node node : machines.all()) {
            if (node.isFree() && !node.equals(busy)) {
                ready.addAll(agenda.of(node));
            }
        }
        return ready;
    }

    private void act(Work work) {
        actions++;
        if (actions > (long) MOST_ACTIONS_PER_STEP * (engine.scenario().steps().size() + 20)) {
            invariants.complain("it never comes to rest");
        }
        engine.clock().forward(chance.upTo(LONGEST_ACTION));
        Node node = work.node();
        tell(() -> node.name() + ": " + work.what());
        try {
            work.action().run();
        } catch (Killed killed) {
            tell(killed::getMessage);
            invariants.disturbed(machines.silent(node));
        }
        invariants.servers();
    }

    private void tell(Supplier<String> what) {
        trace.accept(() -> engine.clock().instant() + " " + what.get());
    }

    private void committed() {
        engine.journal()
                .after(told)
                .forEach(
                        message -> {
                            told++;
                            tell(() -> "    " + message.getPayload());
                        });
        invariants.committed();
    }

    private void effect(Effect effect) {
        tell(() -> "the cloud: " + effect);
        invariants.effect(effect);
    }

    private void take(Node node) {
        Step step = agenda.takeStep();
        tell(step::toString);
        switch (step) {
            case Step.ByClient byClient ->
                    untilAnswered(step, () -> outside.take(byClient, node.process().commands()));
            case Step.ByOperator byOperator ->
                    untilAnswered(step, () -> outside.take(byOperator, node.process().commands()));
            case Step.Fault fault -> take(fault);
        }
    }

    /** Repeats a request that gets no response. */
    private void untilAnswered(Step step, Runnable request) {
        try {
            request.run();
        } catch (Killed unanswered) {
            agenda.putBack(step);
            throw unanswered;
        }
    }

    private void take(Step.Fault fault) {
        Instant now = engine.clock().instant();
        switch (fault) {
            case Step.Kill kill -> {
                Node node = machines.get(kill.node());
                node.dieAfter(kill.passings());
                machines.backAt(node, now.plus(kill.downtime()));
                invariants.disturbed(now.plus(kill.downtime()).plus(Machines.FOUND_DEAD));
            }
            case Step.Pause pause ->
                    machines.get(pause.node()).pauseAfter(pause.passings(), pause.duration());
            case Step.Misbehave misbehave -> troubles.add(misbehave);
            case Step.Stall stall -> {
                agenda.stall(stall.part(), now.plus(stall.duration()));
                invariants.disturbed(now.plus(stall.duration()));
            }
        }
    }

    /** The work of others between two effects of a node. */
    private final class Meanwhile implements Node.Others {

        @Override
        public void overtake(Node busy) {
            if (overtaking < MOST_OVERTAKING && chance.onceIn(4)) {
                overtaking++;
                aside(() -> actOne(ready(busy)));
                overtaking--;
            }
        }

        @Override
        public void gather(Node node) {
            if (gathering < MOST_GATHERING && node.isFree() && !chance.onceIn(3)) {
                gathering++;
                aside(() -> actOne(agenda.of(node)));
                gathering--;
            }
        }

        @Override
        public boolean canWait() {
            return overtaking == 0;
        }

        @Override
        public void outlast(Node node, Duration pause) {
            Instant end = engine.clock().instant().plus(pause);
            tell(() -> node.name() + " stands still until " + end);
            machines.silent(node);
            aside(
                    () -> {
                        while (invariants.complaint().isEmpty()
                                && engine.clock().instant().isBefore(end)) {
                            actOrWait(end);
                        }
                    });
            machines.heard(node);
            invariants.disturbed(engine.clock().instant());
            tell(() -> node.name() + " goes on");
        }
    }

    private void actOne(List<Work> ready) {
        if (!ready.isEmpty()) {
            act(chance.of(ready));
        }
    }

    /** Runs an action as another thread would, outside of all transactions. */
    private void aside(Runnable action) {
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

    private void forget() {
        Instant before = engine.clock().instant().minus(Engine.MEMORY);
        if (forgotten.plus(Engine.MEMORY).isBefore(before)) {
            forgotten = before;
            machines.get(0).process().keepHouse();
            invariants.book().promises().forgetBefore(before);
        }
    }

    /** Ends all faults after the last step, so that all pending work comes to its end. */
    private void heal() {
        healed = true;
        troubles.end();
        agenda.endStalls();
        machines.bringBack();
        machines.settle();
        retry();
    }

    private void retry() {
        nextRetries = engine.clock().instant().plus(RETRIES);
        machines.all().stream()
                .filter(Node::isFree)
                .findFirst()
                .ifPresent(node -> act(new Work(node, "the operator", () -> seeToAll(node))));
    }

    private void seeToAll(Node node) {
        outside.enableAll(node.process().commands());
        outside.retryAll(node.process().commands());
    }
}
