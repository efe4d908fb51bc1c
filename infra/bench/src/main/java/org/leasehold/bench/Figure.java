package org.leasehold.bench;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A measured figure, with one value per round.
 *
 * @param goal null for a figure without a goal
 */
record Figure(
        String benchmark, String name, List<Double> values, String unit, @Nullable Goal goal) {

    Figure {
        values = List.copyOf(values);
    }

    static Figure told(String benchmark, String name, double value, String unit) {
        return new Figure(benchmark, name, List.of(value), unit, null);
    }

    Figure below(double limit) {
        return new Figure(benchmark, name, values, unit, new Goal("<", limit));
    }

    Figure atLeast(double limit) {
        return new Figure(benchmark, name, values, unit, new Goal("≥", limit));
    }

    /** Merges the figures of several rounds. */
    static List<Figure> merged(List<List<Figure>> rounds) {
        List<Figure> merged = new ArrayList<>();
        for (int place = 0; place < rounds.getFirst().size(); place++) {
            List<Double> values = new ArrayList<>();
            for (List<Figure> round : rounds) {
                values.addAll(round.get(place).values);
            }
            Figure first = rounds.getFirst().get(place);
            merged.add(new Figure(first.benchmark, first.name, values, first.unit, first.goal));
        }
        return merged;
    }

    double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(half)
                : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    /** Returns true if every round has a finite value. */
    boolean isNumber() {
        return !values.isEmpty() && values.stream().allMatch(Double::isFinite);
    }

    double smallest() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double largest() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** Returns true if the median meets the goal; null without a goal. Only numbers meet one. */
    @Nullable Boolean met() {
        if (goal == null) {
            return null;
        }
        if (!isNumber()) {
            return false;
        }
        return goal.relation.equals("<") ? median() < goal.limit : median() >= goal.limit;
    }

    record Goal(String relation, double limit) {}
}
