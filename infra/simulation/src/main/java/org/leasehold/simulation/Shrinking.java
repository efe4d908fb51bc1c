package org.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Leaves out of a scenario that fails whatever it fails without. */
final class Shrinking {

    private static final int MOST_RUNS = 400;

    private final Supplier<Parts> parts;
    private Scenario smallest;
    private int runs;

    private Shrinking(Scenario failing, Supplier<Parts> parts) {
        this.smallest = failing;
        this.parts = parts;
    }

    /** A part of the scenario that still fails, if not in the same way. */
    static Scenario shrink(Scenario failing, Supplier<Parts> parts) {
        Shrinking shrinking = new Shrinking(failing, parts);
        shrinking.dropWhatCameLater();
        shrinking.dropKinds();
        shrinking.dropParts();
        return shrinking.smallest;
    }

    private void dropWhatCameLater() {
        Simulation.Outcome outcome = Simulation.run(smallest, parts.get(), _ -> {});
        without(step -> VirtualClock.BEGINNING.plus(step.at()).isAfter(outcome.ended()));
    }

    /** Whole clients and whole kinds of steps first. */
    private void dropKinds() {
        without(step -> step instanceof Step.Fault);
        without(step -> step instanceof Step.ByOperator);
        for (int project = 0; project < Scenario.PROJECTS; project++) {
            int one = project;
            without(step -> step instanceof Step.ByClient client && client.project() == one);
        }
        List<Class<?>> kinds = new ArrayList<>();
        smallest.steps()
                .forEach(
                        step -> {
                            if (!kinds.contains(step.getClass())) {
                                kinds.add(step.getClass());
                            }
                        });
        kinds.forEach(kind -> without(kind::isInstance));
    }

    /** Then ever smaller parts, until no single step can be left out. */
    private void dropParts() {
        int size = Math.max(1, smallest.steps().size() / 2);
        while (runs < MOST_RUNS) {
            boolean dropped = false;
            for (int from = 0; from < smallest.steps().size() && runs < MOST_RUNS; from += size) {
                int to = Math.min(from + size, smallest.steps().size());
                Set<Step> part = Set.copyOf(smallest.steps().subList(from, to));
                if (without(part::contains)) {
                    dropped = true;
                    from -= size;
                }
            }
            if (size == 1 && !dropped) {
                return;
            }
            size = Math.max(1, size / 2);
        }
    }

    private boolean without(Predicate<Step> steps) {
        Scenario smaller = smallest.with(smallest.steps().stream().filter(steps.negate()).toList());
        if (smaller.steps().size() == smallest.steps().size()) {
            return false;
        }
        runs++;
        if (Simulation.run(smaller, parts.get(), _ -> {}).complaint() == null) {
            return false;
        }
        smallest = smaller;
        return true;
    }
}
