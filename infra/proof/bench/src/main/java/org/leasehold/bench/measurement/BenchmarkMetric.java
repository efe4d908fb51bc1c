package org.leasehold.bench.measurement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A measured figure, with one value per round.
 *
 * @param goal null for a figure without a goal
 */
public record BenchmarkMetric(
        String benchmark, String name, List<Double> values, String unit, @Nullable Goal goal) {

    public BenchmarkMetric {
        values = List.copyOf(values);
    }

    public static BenchmarkMetric of(String benchmark, String name, double value, String unit) {
        return new BenchmarkMetric(benchmark, name, List.of(value), unit, null);
    }

    public BenchmarkMetric below(double limit) {
        return new BenchmarkMetric(benchmark, name, values, unit, new Goal("<", limit));
    }

    public BenchmarkMetric atLeast(double limit) {
        return new BenchmarkMetric(benchmark, name, values, unit, new Goal("≥", limit));
    }

    /** Merges the figures of several rounds. */
    public static List<BenchmarkMetric> merge(List<List<BenchmarkMetric>> rounds) {
        List<BenchmarkMetric> merged = new ArrayList<>();
        for (int index = 0; index < rounds.getFirst().size(); index++) {
            List<Double> values = new ArrayList<>();
            for (List<BenchmarkMetric> round : rounds) {
                values.addAll(round.get(index).values);
            }
            BenchmarkMetric first = rounds.getFirst().get(index);
            merged.add(
                    new BenchmarkMetric(
                            first.benchmark, first.name, values, first.unit, first.goal));
        }
        return merged;
    }

    public double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(half)
                : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    /** Returns true if every round has a finite value. */
    public boolean isNumber() {
        return !values.isEmpty() && values.stream().allMatch(Double::isFinite);
    }

    double smallest() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double largest() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** Returns true if the median meets the goal; null without a goal. Only numbers meet one. */
    public @Nullable Boolean met() {
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
