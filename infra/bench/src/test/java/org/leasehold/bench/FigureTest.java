package org.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class FigureTest {

    @Test
    void rounds_become_a_median_and_a_spread() {
        Figure merged = merged(3, 1, 20);

        assertThat(merged.median()).isEqualTo(3);
        assertThat(merged.smallest()).isEqualTo(1);
        assertThat(merged.largest()).isEqualTo(20);
        assertThat(merged(1, 2).median()).isEqualTo(1.5);
    }

    @Test
    void the_median_meets_the_goal_or_does_not() {
        assertThat(merged(3, 1, 20).below(4).met()).isTrue();
        assertThat(merged(3, 1, 20).below(3).met()).isFalse();
        assertThat(merged(3, 1, 20).atLeast(3).met()).isTrue();
        assertThat(merged(3, 1, 20).met()).isNull();
    }

    private static Figure merged(double... rounds) {
        List<List<Figure>> figures =
                java.util.Arrays.stream(rounds)
                        .mapToObj(value -> List.of(Figure.told("b", "f", value, "ms")))
                        .toList();
        return Figure.merged(figures).getFirst();
    }

    @Test
    void nothing_per_nothing_is_no_number() {
        assertThat(Figure.told("creates", "created", 0.0, "/s").isNumber()).isTrue();
        assertThat(Figure.told("creates", "CPU", 0.0 / 0, "ms").isNumber()).isFalse();
        assertThat(Figure.told("creates", "CPU", 1 / 0.0, "ms").isNumber()).isFalse();
    }
}
