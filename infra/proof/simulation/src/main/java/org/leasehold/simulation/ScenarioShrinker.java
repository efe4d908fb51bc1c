package org.leasehold.simulation;

import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.Step;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Removes the steps from a failing scenario that its failure does not need. */
final class ScenarioShrinker {

    private static final int MAX_RUNS = 400;

    /** The details of a message: text in brackets, ids and numbers. */
    private static final Pattern DETAILS = Pattern.compile("\\[.*]|\\{.*}|[-0-9a-f:.]*\\d\\S*");

    private final Supplier<EngineParts> parts;
    private final String violationKind;
    private Scenario smallest;
    private int runs;

    private ScenarioShrinker(Scenario failing, String kind, Supplier<EngineParts> parts) {
        this.smallest = failing;
        this.violationKind = kind;
        this.parts = parts;
    }

    /** Returns the smallest known part of the scenario that fails in the same way. */
    static Scenario shrink(Scenario failing, Supplier<EngineParts> parts) {
        SimulationOutcome outcome = Simulation.run(failing, parts.get(), _ -> {});
        ScenarioShrinker shrinking = new ScenarioShrinker(failing, kind(outcome), parts);
        shrinking.dropLaterSteps(outcome.ended());
        shrinking.dropKinds();
        shrinking.dropParts();
        return shrinking.smallest;
    }

    /** Returns the violation without details; empty if there is none. */
    private static String kind(SimulationOutcome outcome) {
        String complaint = outcome.complaint();
        return complaint == null ? "" : DETAILS.matcher(complaint).replaceAll("");
    }

    private void dropLaterSteps(Instant end) {
        tryWithout(step -> VirtualClock.BEGINNING.plus(step.at()).isAfter(end));
    }

    /** Drops whole clients and whole kinds of steps first. */
    private void dropKinds() {
        tryWithout(step -> step instanceof Step.Fault);
        tryWithout(step -> step instanceof Step.ByOperator);
        for (int project = 0; project < Scenario.PROJECTS; project++) {
            int one = project;
            tryWithout(step -> step instanceof Step.ByClient client && client.project() == one);
        }
        List<Class<?>> kinds = new ArrayList<>();
        smallest.steps()
                .forEach(
                        step -> {
                            if (!kinds.contains(step.getClass())) {
                                kinds.add(step.getClass());
                            }
                        });
        kinds.forEach(kind -> tryWithout(kind::isInstance));
    }

    /** Drops ever smaller parts, until every single step is needed. */
    private void dropParts() {
        int size = Math.max(1, smallest.steps().size() / 2);
        while (runs < MAX_RUNS) {
            boolean dropped = false;
            for (int from = 0; from < smallest.steps().size() && runs < MAX_RUNS; from += size) {
                int to = Math.min(from + size, smallest.steps().size());
                Set<Step> part = Set.copyOf(smallest.steps().subList(from, to));
                if (tryWithout(part::contains)) {
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

    private boolean tryWithout(Predicate<Step> steps) {
        Scenario smaller = smallest.with(smallest.steps().stream().filter(steps.negate()).toList());
        if (smaller.steps().size() == smallest.steps().size()) {
            return false;
        }
        runs++;
        if (!kind(Simulation.run(smaller, parts.get(), _ -> {})).equals(violationKind)) {
            return false;
        }
        smallest = smaller;
        return true;
    }
}
