package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

class PollingWaitTest {

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void each_wait_polls_until_the_timeout() {
        assertThat(FakePollingTime.looks(3).awaitRemaining(this::look)).contains("look 4");
        assertThat(FakePollingTime.looks(3).awaitRemaining(this::look)).contains("look 8");
    }

    @Test
    void a_wait_ends_with_the_first_poll_that_finds_no_unfinished_work() {
        FakePollingTime.looks(10).await(() -> look().filter(_ -> looks.get() < 3));

        assertThat(looks).hasValue(3);
    }

    @Test
    void a_timeout_reports_the_unfinished_work() {
        assertThatThrownBy(() -> FakePollingTime.looks(1).await(this::look))
                .isInstanceOf(CloudFailure.class)
                .hasMessageContaining("look 2");
    }

    @Test
    void the_real_clock_advances_during_a_pause() throws InterruptedException {
        Duration pause = Duration.ofMillis(2);
        long before = PollingWait.Time.SYSTEM.nanos();

        PollingWait.Time.SYSTEM.pause(pause);

        assertThat(PollingWait.Time.SYSTEM.nanos() - before)
                .isGreaterThanOrEqualTo(pause.toNanos());
    }

    private Optional<String> look() {
        return Optional.of("look " + looks.incrementAndGet());
    }
}
