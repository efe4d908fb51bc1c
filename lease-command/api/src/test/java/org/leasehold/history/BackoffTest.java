package org.leasehold.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.stream.IntStream;

class BackoffTest {

    @Test
    void the_backoff_grows_to_five_minutes() {
        assertThat(Backoff.DEFAULT.delayAfter(1, "a"))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
        assertThat(Backoff.DEFAULT.delayAfter(5, "a"))
                .isBetween(Duration.ofMillis(14_400), Duration.ofSeconds(16));
        assertThat(Backoff.DEFAULT.delayAfter(1000, "a"))
                .isBetween(Duration.ofSeconds(270), Duration.ofMinutes(5));
    }

    @Test
    void the_backoff_doubles_up_to_a_limit() {
        Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));

        assertThat(IntStream.rangeClosed(1, 6).mapToObj(backoff::delayAfter))
                .extracting(Duration::toMillis)
                .containsExactly(500L, 1000L, 2000L, 4000L, 5000L, 5000L);
    }
}
