package org.leasehold.simulation;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The pending work of the nodes, and the times of the next work. */
final class Agenda {

    private final Engine engine;
    private final Consumer<Node> nextStep;
    private final Deque<Step> steps;
    private final Map<Step.Part, Instant> stalled = new EnumMap<>(Step.Part.class);

    /** Creates an agenda with an action that makes a node take the next step. */
    Agenda(Engine engine, Consumer<Node> nextStep) {
        this.engine = engine;
        this.nextStep = nextStep;
        this.steps = new ArrayDeque<>(engine.scenario().steps());
    }

    /** Work that a node can do now. */
    record Work(Node node, String what, Runnable action) {}

    Step takeStep() {
        return steps.remove();
    }

    /** Returns a step, so that it is taken again before any other. */
    void putBack(Step step) {
        steps.addFirst(step);
    }

    boolean hasSteps() {
        return !steps.isEmpty();
    }

    void stall(Step.Part part, Instant until) {
        stalled.put(part, until);
    }

    void endStalls() {
        stalled.clear();
    }

    /** Returns true if no work is left for any node, now or later. */
    boolean isDone() {
        return steps.isEmpty() && engine.timers().all().isEmpty() && engine.tasks().all().isEmpty();
    }

    /** Returns the work that a node could do now. */
    List<Work> of(Node node) {
        List<Work> work = new ArrayList<>();
        EngineProcess process = node.process();
        if (isDue(dueStep())) {
            work.add(new Work(node, "step", () -> nextStep.accept(node)));
        }
        if (process.hasToSend()) {
            work.add(new Work(node, "command of a timer", process::sendOne));
        }
        if (runs(Step.Part.TIMERS) && process.canFire() && isDue(engine.timers().next())) {
            work.add(new Work(node, "timers", process::fire));
        }
        if (runs(Step.Part.TASKS) && isDue(engine.tasks().next())) {
            work.add(new Work(node, "task", process::runTask));
        }
        if (runs(Step.Part.MEMORY) && process.isBehind()) {
            work.add(new Work(node, "memory", process::learn));
        }
        for (Processes.Reader reader : engine.processes().readers()) {
            if (reader.isBehind() && runs(reader.part())) {
                work.add(new Work(node, "events", () -> reader.readOn(node::surviving)));
            }
        }
        return work;
    }

    private boolean runs(Step.Part part) {
        Instant until = stalled.get(part);
        return until == null || !until.isAfter(engine.clock().instant());
    }

    private boolean isDue(Optional<Instant> next) {
        return next.isPresent() && !next.get().isAfter(engine.clock().instant());
    }

    private Optional<Instant> dueStep() {
        return Optional.ofNullable(steps.peek()).map(s -> VirtualClock.BEGINNING.plus(s.at()));
    }

    /** Returns the times at which new work becomes ready. */
    Stream<Instant> next() {
        return Stream.concat(
                Stream.of(dueStep(), engine.timers().next(), engine.tasks().next())
                        .flatMap(Optional::stream),
                stalled.values().stream());
    }
}
