package org.leasehold.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Removes the steps from a failing scenario that its failure does not need. */
final class Shrinking {

    private static final int MOST_RUNS = 400;

    /** The details of a message: text in brackets, ids and numbers. */
    private static final Pattern DETAILS = Pattern.compile("\\[.*]|\\{.*}|[-0-9a-f:.]*\\d\\S*");

    private final Supplier<Parts> parts;
    private final String kind;
    private Scenario smallest;
    private int runs;

    private Shrinking(Scenario failing, String kind, Supplier<Parts> parts) {
        this.smallest = failing;
        this.kind = kind;
        this.parts = parts;
    }

    /** Returns the smallest known part of the scenario that fails in the same way. */
    static Scenario shrink(Scenario failing, Supplier<Parts> parts) {
        Simulation.Outcome outcome = Simulation.run(failing, parts.get(), _ -> {});
        Shrinking shrinking = new Shrinking(failing, kind(outcome), parts);
        shrinking.dropWhatCameLater(outcome.ended());
        shrinking.dropKinds();
        shrinking.dropParts();
        return shrinking.smallest;
    }

    /** Returns the violation without details; empty if there is none. */
    private static String kind(Simulation.Outcome outcome) {
        String complaint = outcome.complaint();
        return complaint == null ? "" : DETAILS.matcher(complaint).replaceAll("");
    }

    private void dropWhatCameLater(Instant end) {
        without(step -> VirtualClock.BEGINNING.plus(step.at()).isAfter(end));
    }

    /** Drops whole clients and whole kinds of steps first. */
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

    /** Drops ever smaller parts, until every single step is needed. */
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
        if (!kind(Simulation.run(smaller, parts.get(), _ -> {})).equals(kind)) {
            return false;
        }
        smallest = smaller;
        return true;
    }
}
