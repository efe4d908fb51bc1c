package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

class BulkReadPacerTest {

    private final List<Duration> pauses = new ArrayList<>();
    private boolean busy = true;
    private long nanos;

    private final BulkReadPacer pacer = new BulkReadPacer(() -> busy, () -> nanos, this::sleep);

    private void sleep(Duration duration) {
        pauses.add(duration);
        nanos += duration.toNanos();
    }

    private void work(int millis) {
        nanos += Duration.ofMillis(millis).toNanos();
    }

    @Test
    void a_read_waits_three_times_the_last_part_beside_a_busy_engine()
            throws InterruptedIOException {
        BulkReadPacer.Pace pace = pacer.begin();
        work(10);
        pace.awaitNextPart();
        work(20);
        pace.awaitNextPart();

        assertThat(pauses).containsExactly(Duration.ofMillis(30), Duration.ofMillis(60));
    }

    @Test
    void a_read_does_not_wait_beside_an_idle_engine() throws InterruptedIOException {
        busy = false;
        BulkReadPacer.Pace pace = pacer.begin();
        work(10);
        pace.awaitNextPart();

        assertThat(pauses).isEmpty();
    }

    @Test
    void time_before_the_last_part_does_not_count() throws InterruptedIOException {
        busy = false;
        BulkReadPacer.Pace pace = pacer.begin();
        work(40);
        pace.awaitNextPart();
        busy = true;
        work(10);
        pace.awaitNextPart();

        assertThat(pauses).containsExactly(Duration.ofMillis(30));
    }

    @Test
    void a_pause_has_a_maximum() throws InterruptedIOException {
        BulkReadPacer.Pace pace = pacer.begin();
        work(10_000);
        pace.awaitNextPart();

        assertThat(pauses).containsExactly(BulkReadPacer.MAX_PAUSE);
    }

    @Test
    void an_interrupted_read_ends_and_stays_interrupted() {
        BulkReadPacer interrupted =
                new BulkReadPacer(
                        () -> true,
                        () -> 0,
                        _ -> {
                            throw new InterruptedException();
                        });

        assertThatThrownBy(interrupted.begin()::awaitNextPart)
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
