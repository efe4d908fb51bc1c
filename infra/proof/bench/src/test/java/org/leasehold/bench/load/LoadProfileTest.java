package org.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

class LoadProfileTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A time in the past, so that every request is overdue and no client waits. */
    private final long began = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);

    @Test
    void a_late_open_loop_keeps_the_schedule() {
        LoadProfile.Arrivals arrivals = LoadProfile.open(1, SECOND, 4).startAt(began);

        for (int quarter = 0; quarter < 4; quarter++) {
            assertThat(arrivals.next())
                    .isEqualTo(began + TimeUnit.MILLISECONDS.toNanos(250) * quarter);
        }
        assertThat(arrivals.next()).isEqualTo(LoadProfile.END_OF_LOAD);
    }

    @Test
    void an_open_loop_waits_until_a_request_is_due() {
        LoadProfile.Arrivals arrivals = LoadProfile.open(1, SECOND, 100).startAt(System.nanoTime());
        arrivals.next();

        long due = arrivals.next();

        assertThat(System.nanoTime() - due).isNotNegative();
    }

    @Test
    void a_closed_loop_sends_requests_at_once_until_the_duration_ends() {
        long now = System.nanoTime();

        assertThat(LoadProfile.closed(1, Duration.ofHours(1)).startAt(now).next() - now)
                .isNotNegative();
        assertThat(LoadProfile.closed(1, SECOND).startAt(began).next())
                .isEqualTo(LoadProfile.END_OF_LOAD);
    }

    @Test
    void a_closed_loop_sends_the_configured_number_of_requests() {
        LoadProfile.Arrivals arrivals = LoadProfile.closed(2, 2).startAt(began);

        assertThat(arrivals.next()).isNotEqualTo(LoadProfile.END_OF_LOAD);
        assertThat(arrivals.next()).isNotEqualTo(LoadProfile.END_OF_LOAD);
        assertThat(arrivals.next()).isEqualTo(LoadProfile.END_OF_LOAD);
    }
}
