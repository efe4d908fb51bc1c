package org.leasehold.simulation;

import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.Misbehaviour;
import org.leasehold.resource.simulator.SimulatedCloud.Effect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One run of a scenario. Everything that could happen next is collected, and chance says what does.
 * The clock moves a little with each action, and to the next due time when there is none.
 */
final class Simulation {

    /** Others take over what a dead machine has begun. */
    private static final Duration FOUND_DEAD = Duration.ofSeconds(8);

    private static final Duration LONGEST_ACTION = Duration.ofMillis(30);
    private static final Duration RETRIES = Duration.ofMinutes(10);
    private static final int MOST_ACTIONS_PER_STEP = 3_000;
    private static final int DEEPEST = 2;

    /** Claims that are over for so long are forgotten. */
    private static final Duration MEMORY = Duration.ofHours(12);

    private final Engine engine;
    private final Chance chance;
    private final Invariants invariants;
    private final Outside outside;
    private final Consumer<Supplier<String>> trace;
    private final Deque<Step> steps;
    private final Map<Step.Part, Instant> stalled = new EnumMap<>(Step.Part.class);
    private final List<Trouble> troubles = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private boolean healed;
    private Instant nextRetries = Instant.MAX;
    private Instant forgotten = VirtualClock.BEGINNING;
    private int depth;
    private long actions;

    private Simulation(Scenario scenario, Parts parts, Consumer<Supplier<String>> trace) {
        this.steps = new ArrayDeque<>(scenario.steps());
        this.trace = trace;
        this.engine = new Engine(scenario, parts, this::effect);
        this.chance = engine.chance().split();
        this.invariants = new Invariants(engine);
        this.outside = new Outside(engine, invariants);
        engine.cloud().misbehave(this::meet);
        for (int n = 0; n < Scenario.NODES; n++) {
            machines.add(new Machine(n));
        }
    }

    /** Runs a scenario, and says what was wrong, if anything was. */
    static Outcome run(Scenario scenario, Parts parts, Consumer<Supplier<String>> trace) {
        return new Simulation(scenario, parts, trace).run();
    }

    /**
     * What came of a run.
     *
     * @param complaint what was wrong; null if nothing was
     * @param ended the virtual time at the end, or when something was wrong
     * @param events how many events were stored
     * @param digest of everything that happened: the same for the same scenario
     */
    record Outcome(
            @Nullable String complaint, Instant ended, long events, long actions, int digest) {}

    /** A node, and when it will be back if it is dead. */
    private final class Machine {

        private final Node node;
        private Instant backAt = Instant.MAX;
        private Instant foundDeadAt = Instant.MAX;

        Machine(int number) {
            this.node = new Node("node-" + number, engine, Simulation.this::overtake);
        }

        void act(String what, Runnable action) {
            trace.accept(() -> "%s %s: %s".formatted(engine.clock().instant(), node.name(), what));
            try {
                action.run();
            } catch (Killed killed) {
                trace.accept(
                        () -> "%s %s".formatted(engine.clock().instant(), killed.getMessage()));
                Instant now = engine.clock().instant();
                foundDeadAt = now.plus(FOUND_DEAD);
                invariants.disturbed(
                        backAt.isBefore(now) || backAt.equals(Instant.MAX) ? foundDeadAt : backAt);
            }
        }
    }

    private static final class Trouble {

        private final Step.Misbehave step;
        private int left;

        Trouble(Step.Misbehave step) {
            this.step = step;
            this.left = step.times();
        }

        Optional<Misbehaviour> meet(String operation) {
            if (left == 0 || !operation.equals(step.operation())) {
                return Optional.empty();
            }
            left--;
            return Optional.of(step.how());
        }
    }

    private Optional<Misbehaviour> meet(String operation, @Nullable String host) {
        return troubles.stream().flatMap(t -> t.meet(operation).stream()).findFirst();
    }

    private void effect(Effect effect) {
        trace.accept(() -> "%s the cloud: %s".formatted(engine.clock().instant(), effect));
        invariants.effect(effect);
    }

    /** Something that can be done now by any machine. */
    private record Work(String what, Consumer<Machine> how) {}

    /** Something that a machine may do now. */
    private record Action(Machine machine, Work work) {}

    private Outcome run() {
        long most = (long) MOST_ACTIONS_PER_STEP * (steps.size() + Scenario.HOSTS);
        Machine first = machines.getFirst();
        first.act("all hosts are enrolled", () -> outside.enrolAll(first.node.commands()));
        while (invariants.complaint().isEmpty()) {
            settleNodes();
            List<Action> ready = ready(null);
            if (!ready.isEmpty()) {
                act(chance.of(ready));
            } else if (!passTime()) {
                break;
            }
            if (actions > most) {
                invariants.complain("it never comes to rest");
            }
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

    private void act(Action action) {
        actions++;
        engine.clock().forward(chance.upTo(LONGEST_ACTION));
        Work work = action.work();
        action.machine().act(work.what(), () -> work.how().accept(action.machine()));
        invariants.servers();
    }

    /** Restarts processes, and has others take over from dead ones. */
    private void settleNodes() {
        Instant now = engine.clock().instant();
        for (Machine machine : machines) {
            if (!machine.foundDeadAt.isAfter(now)) {
                machine.foundDeadAt = Instant.MAX;
                engine.timers().revive(machine.node.name());
                engine.tasks().revive(machine.node.name());
            }
            if (!machine.node.isAlive()
                    && machine.foundDeadAt.equals(Instant.MAX)
                    && (healed || !machine.backAt.isAfter(now))) {
                machine.node.restart();
                machine.backAt = Instant.MAX;
            }
        }
    }

    /** What can be done now by processes other than the one that is busy. */
    private List<Action> ready(@Nullable Node busy) {
        List<Work> work = work(engine.clock().instant());
        List<Action> ready = new ArrayList<>();
        for (Machine machine : machines) {
            if (machine.node.isAlive() && !machine.node.equals(busy)) {
                work.forEach(todo -> ready.add(new Action(machine, todo)));
            }
        }
        return ready;
    }

    private List<Work> work(Instant now) {
        List<Work> work = new ArrayList<>();
        Step step = steps.peek();
        if (step != null && !at(step).isAfter(now)) {
            work.add(new Work("step", this::take));
        }
        if (runs(Step.Part.TIMERS, now) && isDue(engine.timers().next(), now)) {
            work.add(new Work("timer", machine -> machine.node.timers().fireNext()));
        }
        if (runs(Step.Part.TASKS, now) && isDue(engine.tasks().next(), now)) {
            work.add(new Work("task", machine -> machine.node.tasks().runNext()));
        }
        for (Processes.Reader reader : engine.processes().readers()) {
            if (reader.isBehind() && runs(reader.part(), now)) {
                work.add(new Work("events", p -> reader.readOn(p.node::surviving)));
            }
        }
        return work;
    }

    private boolean runs(Step.Part part, Instant now) {
        Instant until = stalled.get(part);
        return healed || until == null || !until.isAfter(now);
    }

    private static boolean isDue(Optional<Instant> next, Instant now) {
        return next.isPresent() && !next.get().isAfter(now);
    }

    private static Instant at(Step step) {
        return VirtualClock.BEGINNING.plus(step.at());
    }

    private void take(Machine machine) {
        Step step = steps.remove();
        trace.accept(step::toString);
        Node node = machine.node;
        switch (step) {
            case Step.ByClient byClient ->
                    untilAnswered(step, () -> outside.take(byClient, node.commands()));
            case Step.ByOperator byOperator ->
                    untilAnswered(step, () -> outside.take(byOperator, node.commands()));
            case Step.Kill kill -> kill(kill);
            case Step.Misbehave misbehave -> troubles.add(new Trouble(misbehave));
            case Step.Stall stall -> {
                Instant until = engine.clock().instant().plus(stall.duration());
                stalled.put(stall.part(), until);
                invariants.disturbed(until);
            }
        }
    }

    /** Whoever hears nothing tries again. */
    private void untilAnswered(Step step, Runnable request) {
        try {
            request.run();
        } catch (Killed unanswered) {
            steps.addFirst(step);
            throw unanswered;
        }
    }

    private void kill(Step.Kill kill) {
        Machine machine = machines.get(kill.node());
        machine.node.dieAfter(kill.passings());
        machine.backAt = engine.clock().instant().plus(kill.downtime());
        invariants.disturbed(machine.backAt.plus(FOUND_DEAD));
    }

    /** While a machine is at one of its passings, others may do something. */
    private void overtake(Node busy) {
        if (depth == DEEPEST || !chance.onceIn(4)) {
            return;
        }
        Optional<UnitOfWork<?>> unit = CurrentUnitOfWork.map(u -> (UnitOfWork<?>) u);
        unit.ifPresent(CurrentUnitOfWork::clear);
        depth++;
        try {
            List<Action> ready = ready(busy);
            if (!ready.isEmpty()) {
                act(chance.of(ready));
            }
        } finally {
            depth--;
            unit.ifPresent(CurrentUnitOfWork::set);
        }
    }

    /** Goes on to when there is something to do again; false if there never will be. */
    private boolean passTime() {
        if (steps.isEmpty() && !healed) {
            heal();
            return true;
        }
        if (healed && !isAtRest() && !nextRetries.isAfter(engine.clock().instant())) {
            retry();
            return true;
        }
        Optional<Instant> next =
                Stream.of(
                                Optional.ofNullable(steps.peek()).map(Simulation::at),
                                engine.timers().next(),
                                engine.tasks().next(),
                                healed ? Optional.of(nextRetries) : Optional.<Instant>empty())
                        .flatMap(Optional::stream)
                        .min(Instant::compareTo);
        Optional<Instant> wakeUp =
                Stream.concat(
                                machines.stream().flatMap(p -> Stream.of(p.backAt, p.foundDeadAt)),
                                healed ? Stream.of() : stalled.values().stream())
                        .filter(engine.clock().instant()::isBefore)
                        .min(Instant::compareTo);
        Optional<Instant> to =
                Stream.of(next.filter(engine.clock().instant()::isBefore), wakeUp)
                        .flatMap(Optional::stream)
                        .filter(instant -> instant.isBefore(Instant.MAX))
                        .min(Instant::compareTo);
        if (to.isEmpty() || isAtRest()) {
            return false;
        }
        engine.clock().forwardTo(to.get());
        forget();
        return true;
    }

    private void forget() {
        Instant before = engine.clock().instant().minus(MEMORY);
        if (forgotten.plus(MEMORY).isBefore(before)) {
            forgotten = before;
            engine.tables().forgetClaimsBefore(before);
            invariants.book().forgetClaimsBefore(before);
        }
    }

    private boolean isAtRest() {
        return steps.isEmpty()
                && healed
                && engine.timers().all().isEmpty()
                && engine.tasks().all().isEmpty();
    }

    private void heal() {
        healed = true;
        troubles.clear();
        machines.forEach(machine -> machine.backAt = Instant.MIN);
        settleNodes();
        retry();
    }

    private void retry() {
        actions++;
        nextRetries = engine.clock().instant().plus(RETRIES);
        machines.stream()
                .filter(machine -> machine.node.isAlive())
                .findFirst()
                .ifPresent(
                        machine ->
                                machine.act(
                                        "the operator sees to everything",
                                        () -> {
                                            outside.enableAll(machine.node.commands());
                                            outside.retryAll(machine.node.commands());
                                        }));
    }
}
