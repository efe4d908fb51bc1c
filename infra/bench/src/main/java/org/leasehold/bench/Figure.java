package org.leasehold.bench;

import org.jspecify.annotations.Nullable;

/**
 * Something measured.
 *
 * @param goal null for what is only told
 */
record Figure(String benchmark, String name, double value, String unit, @Nullable Goal goal) {

    static Figure told(String benchmark, String name, double value, String unit) {
        return new Figure(benchmark, name, value, unit, null);
    }

    static Figure below(String benchmark, String name, double value, String unit, double limit) {
        return new Figure(benchmark, name, value, unit, new Goal("<", limit, value < limit));
    }

    static Figure atLeast(String benchmark, String name, double value, String unit, double limit) {
        return new Figure(benchmark, name, value, unit, new Goal(">=", limit, value >= limit));
    }

    record Goal(String relation, double limit, boolean met) {}
}
