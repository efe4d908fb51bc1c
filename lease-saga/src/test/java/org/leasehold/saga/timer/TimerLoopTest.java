package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.TimerBacklog;

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
    void the_timer_loop_survives_an_error_of_the_jvm() throws InterruptedException {
        first =
                () -> {
                    throw new OutOfMemoryError("for the test");
                };
        loop.start();

        second.await();
        assertThat(loop.endedThreads()).isEmpty();
    }

    @Test
    void an_interrupted_timer_thread_is_reported_as_ended() {
        first = () -> Thread.currentThread().interrupt();
        loop.start();

        while (loop.endedThreads().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(loop.endedThreads()).isEqualTo(Set.of("timers"));
    }

    @Test
    void a_stopped_timer_thread_is_not_reported_as_ended() {
        loop.start();
        loop.stop();

        assertThat(loop.endedThreads()).isEmpty();
    }

    @Test
    void the_timer_loop_takes_nothing_without_a_due_timer() throws InterruptedException {
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
                new TimerBacklog(Duration.ZERO));
    }

    /** A table without due timers; the first poll does what the test needs. */
    private final class NoTimers implements TimerTable {

        @Override
        public List<Taken> takeDue(Instant now, int limit) {
            takes.incrementAndGet();
            return List.of();
        }

        @Override
        public Optional<Instant> nextDueTime() {
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
        public void removeFired(List<Taken> fired) {
            throw new AssertionError(fired);
        }

        @Override
        public void reschedule(Taken failed, Instant when) {
            throw new AssertionError(failed);
        }
    }
}
