package org.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

class PaceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A time in the past, so that every request is overdue and no client waits. */
    private final long began = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);

    @Test
    void an_open_loop_asks_by_its_schedule_however_late_it_is() {
        Pace.Arrivals arrivals = Pace.open(1, SECOND, 4).from(began);

        for (int quarter = 0; quarter < 4; quarter++) {
            assertThat(arrivals.next())
                    .isEqualTo(began + TimeUnit.MILLISECONDS.toNanos(250) * quarter);
        }
        assertThat(arrivals.next()).isEqualTo(Pace.OVER);
    }

    @Test
    void an_open_loop_does_not_ask_before_its_time() {
        Pace.Arrivals arrivals = Pace.open(1, SECOND, 100).from(System.nanoTime());
        arrivals.next();

        long due = arrivals.next();

        assertThat(System.nanoTime() - due).isNotNegative();
    }

    @Test
    void a_closed_loop_asks_at_once_until_its_time_is_over() {
        long now = System.nanoTime();

        assertThat(Pace.closed(1, Duration.ofHours(1)).from(now).next() - now).isNotNegative();
        assertThat(Pace.closed(1, SECOND).from(began).next()).isEqualTo(Pace.OVER);
    }

    @Test
    void a_closed_loop_asks_as_often_as_it_is_told() {
        Pace.Arrivals arrivals = Pace.closed(2, 2).from(began);

        assertThat(arrivals.next()).isNotEqualTo(Pace.OVER);
        assertThat(arrivals.next()).isNotEqualTo(Pace.OVER);
        assertThat(arrivals.next()).isEqualTo(Pace.OVER);
    }
}
