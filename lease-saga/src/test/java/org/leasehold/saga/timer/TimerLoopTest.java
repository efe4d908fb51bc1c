package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.Rush;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class TimerLoopTest {

    private Runnable first = () -> {};
    private final CountDownLatch second = new CountDownLatch(2);
    private final AtomicInteger takes = new AtomicInteger();
    private final TimerLoop loop = loop();

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void timers_outlive_an_error_of_the_jvm() throws InterruptedException {
        first =
                () -> {
                    throw new OutOfMemoryError("for the test");
                };
        loop.start();

        second.await();
        assertThat(loop.ended()).isEmpty();
    }

    @Test
    void a_thread_that_ends_by_itself_is_known_to_have_ended() {
        first = () -> Thread.currentThread().interrupt();
        loop.start();

        while (loop.ended().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(loop.ended()).isEqualTo(Set.of("timers"));
    }

    @Test
    void a_thread_that_was_stopped_has_not_ended_by_itself() {
        loop.start();
        loop.stop();

        assertThat(loop.ended()).isEmpty();
    }

    @Test
    void nothing_is_taken_while_no_timer_is_due() throws InterruptedException {
        loop.start();
        second.await();
        loop.stop();

        assertThat(takes).hasValue(0);
    }

    private TimerLoop loop() {
        return new TimerLoop(
                new NoTimers(),
                null,
                Clock.systemUTC(),
                new TimerLoop.Pace(1, Duration.ofMillis(1), Duration.ofSeconds(5)),
                new Node("node-1", true),
                new Rush(Duration.ZERO));
    }

    /** A table without due timers; the first poll does what the test needs. */
    private final class NoTimers implements TimerTable {

        @Override
        public List<Taken> take(Instant now, int atMost) {
            takes.incrementAndGet();
            return List.of();
        }

        @Override
        public Optional<Instant> next() {
            second.countDown();
            if (second.getCount() == 1) {
                first.run();
            }
            return Optional.empty();
        }

        @Override
        public void set(List<Timer> timers) {
            throw new AssertionError(timers);
        }

        @Override
        public void remove(List<String> keys) {
            throw new AssertionError(keys);
        }

        @Override
        public void removeTaken(List<Taken> fired) {
            throw new AssertionError(fired);
        }

        @Override
        public void putBack(Taken failed, Instant when) {
            throw new AssertionError(failed);
        }
    }
}
