package org.leasehold.simulation;

import org.leasehold.simulation.memory.SagaRunner;
import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.simulation.scenario.Step;

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
final class PendingWork {

    private final DurableState engine;
    private final Consumer<SimulatedNode> nextStep;
    private final Deque<Step> steps;
    private final Map<Step.Part, Instant> stalledUntil = new EnumMap<>(Step.Part.class);

    /** Creates the pending work, with an action that makes a node take the next step. */
    PendingWork(DurableState engine, Consumer<SimulatedNode> nextStep) {
        this.engine = engine;
        this.nextStep = nextStep;
        this.steps = new ArrayDeque<>(engine.scenario().steps());
    }

    /** Work that a node can do now. */
    record Work(SimulatedNode node, String what, Runnable action) {}

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
        stalledUntil.put(part, until);
    }

    void endStalls() {
        stalledUntil.clear();
    }

    /** Returns true if no work is left for any node, now or later. */
    boolean isDone() {
        return steps.isEmpty() && engine.timers().all().isEmpty() && engine.tasks().all().isEmpty();
    }

    /** Returns the work that a node could do now. */
    List<Work> workFor(SimulatedNode node) {
        List<Work> work = new ArrayList<>();
        EngineProcess process = node.process();
        if (isDue(nextStepTime())) {
            work.add(new Work(node, "step", () -> nextStep.accept(node)));
        }
        if (process.hasPendingSends()) {
            work.add(new Work(node, "command of a timer", process::sendNext));
        }
        if (isRunning(Step.Part.TIMERS)
                && process.canFireTimers()
                && isDue(engine.timers().next())) {
            work.add(new Work(node, "timers", process::fireTimers));
        }
        if (isRunning(Step.Part.TASKS) && isDue(engine.tasks().next())) {
            work.add(new Work(node, "task", process::runTask));
        }
        if (isRunning(Step.Part.MEMORY) && process.isBehind()) {
            work.add(new Work(node, "memory", process::readEvents));
        }
        for (SagaRunner.Reader reader : engine.sagaRunner().readers()) {
            if (reader.isBehind() && isRunning(reader.part())) {
                work.add(
                        new Work(
                                node,
                                "events",
                                () -> reader.handleNextBatch(node::passDeathPoint)));
            }
        }
        return work;
    }

    private boolean isRunning(Step.Part part) {
        Instant until = stalledUntil.get(part);
        return until == null || !until.isAfter(engine.clock().instant());
    }

    private boolean isDue(Optional<Instant> next) {
        return next.isPresent() && !next.get().isAfter(engine.clock().instant());
    }

    private Optional<Instant> nextStepTime() {
        return Optional.ofNullable(steps.peek()).map(s -> VirtualClock.BEGINNING.plus(s.at()));
    }

    /** Returns the times at which new work becomes ready. */
    Stream<Instant> nextTimes() {
        return Stream.concat(
                Stream.of(nextStepTime(), engine.timers().next(), engine.tasks().next())
                        .flatMap(Optional::stream),
                stalledUntil.values().stream());
    }
}
