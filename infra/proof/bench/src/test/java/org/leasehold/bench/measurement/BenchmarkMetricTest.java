package org.leasehold.bench.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class BenchmarkMetricTest {

    @Test
    void the_rounds_are_merged_into_a_median_and_a_range() {
        BenchmarkMetric merged = merged(3, 1, 20);

        assertThat(merged.median()).isEqualTo(3);
        assertThat(merged.smallest()).isEqualTo(1);
        assertThat(merged.largest()).isEqualTo(20);
        assertThat(merged(1, 2).median()).isEqualTo(1.5);
    }

    @Test
    void the_goal_is_compared_with_the_median() {
        assertThat(merged(3, 1, 20).below(4).met()).isTrue();
        assertThat(merged(3, 1, 20).below(3).met()).isFalse();
        assertThat(merged(3, 1, 20).atLeast(3).met()).isTrue();
        assertThat(merged(3, 1, 20).met()).isNull();
    }

    private static BenchmarkMetric merged(double... rounds) {
        List<List<BenchmarkMetric>> figures =
                java.util.Arrays.stream(rounds)
                        .mapToObj(value -> List.of(BenchmarkMetric.of("b", "f", value, "ms")))
                        .toList();
        return BenchmarkMetric.merge(figures).getFirst();
    }

    @Test
    void a_value_divided_by_zero_is_not_a_number() {
        assertThat(BenchmarkMetric.of("creates", "created", 0.0, "/s").isNumber()).isTrue();
        assertThat(BenchmarkMetric.of("creates", "CPU", 0.0 / 0, "ms").isNumber()).isFalse();
        assertThat(BenchmarkMetric.of("creates", "CPU", 1 / 0.0, "ms").isNumber()).isFalse();
    }
}
