package org.leasehold.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class RetryingThreadTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final String NAME = "tested";

    private final Semaphore steps = new Semaphore(0);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Queue<Integer> backoffs = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final RetryingThread thread = new RetryingThread(NAME, this::run);
    private RetryingThread.Step step = () -> LONG;

    @AfterEach
    void stop() throws InterruptedException {
        thread.interrupt();
        assertThat(thread.join(LONG)).isTrue();
    }

    private void run() throws InterruptedException {
        try {
            thread.repeat(
                    () -> {
                        steps.release();
                        return step.run();
                    },
                    count -> {
                        backoffs.add(count);
                        return Duration.ZERO;
                    },
                    failures::add);
        } finally {
            end.countDown();
        }
    }

    /** Uses each outcome for one step, and then pauses. */
    private void perform(RetryingThread.Step... outcomes) {
        AtomicInteger next = new AtomicInteger();
        step =
                () -> {
                    int index = next.getAndIncrement();
                    return index < outcomes.length ? outcomes[index].run() : LONG;
                };
    }

    private static Duration fail(RuntimeException failure) {
        throw failure;
    }

    @Test
    void a_step_is_repeated_after_a_pause() throws InterruptedException {
        perform(() -> Duration.ZERO, () -> Duration.ofNanos(1));

        thread.start();

        steps.acquire(3);
        assertThat(failures).isEmpty();
    }

    @Test
    void failures_in_succession_are_counted_until_a_step_succeeds() throws InterruptedException {
        RuntimeException failure = new IllegalStateException("for the test");
        perform(() -> fail(failure), () -> fail(failure), () -> Duration.ZERO, () -> fail(failure));

        thread.start();

        steps.acquire(5);
        assertThat(backoffs).containsExactly(1, 2, 1);
        assertThat(failures).containsOnly(failure).hasSize(3);
    }

    @Test
    void an_error_of_the_jvm_does_not_end_the_thread() throws InterruptedException {
        perform(
                () -> {
                    throw new OutOfMemoryError("for the test");
                });

        thread.start();

        steps.acquire(2);
        assertThat(thread.endedThreads()).isEmpty();
    }

    @Test
    void a_thread_fails_until_a_step_succeeds() throws InterruptedException {
        CountDownLatch repair = new CountDownLatch(1);
        perform(
                () -> fail(new IllegalStateException("for the test")),
                () -> {
                    repair.await();
                    return Duration.ZERO;
                });
        thread.start();
        steps.acquire(2);
        assertThat(thread.isFailing()).isTrue();

        repair.countDown();

        steps.acquire();
        assertThat(thread.isFailing()).isFalse();
    }

    @Test
    void a_wake_ends_the_pause() throws InterruptedException {
        thread.start();
        steps.acquire();

        thread.wake();

        steps.acquire();
    }

    @Test
    void a_wake_during_a_step_omits_the_pause_after_it() throws InterruptedException {
        perform(
                () -> {
                    thread.wake();
                    return LONG;
                });

        thread.start();

        steps.acquire(2);
    }

    @Test
    void a_stop_ends_the_pause_without_an_interrupt() throws InterruptedException {
        thread.start();
        steps.acquire();

        thread.stop(LONG, Duration.ZERO);

        assertThat(end.getCount()).isZero();
        assertThat(thread.isRunning()).isFalse();
    }

    @Test
    void a_stop_waits_for_the_current_step() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Semaphore completed = new Semaphore(0);
        step =
                () -> {
                    begun.countDown();
                    while (thread.isRunning()) {
                        Thread.onSpinWait();
                    }
                    completed.release();
                    return LONG;
                };
        thread.start();
        begun.await();

        thread.stop(LONG, Duration.ZERO);

        assertThat(completed.tryAcquire()).isTrue();
    }

    @Test
    void a_stop_interrupts_a_step_that_takes_too_long() throws InterruptedException {
        step =
                () -> {
                    new CountDownLatch(1).await();
                    return LONG;
                };
        thread.start();
        steps.acquire();

        thread.stop(Duration.ofMillis(-1), LONG);

        assertThat(end.getCount()).isZero();
    }

    @Test
    void a_stop_interrupts_an_idle_wait() throws InterruptedException {
        CountDownLatch idle = new CountDownLatch(1);
        step =
                () -> {
                    thread.waitIdle(
                            () -> {
                                idle.countDown();
                                new CountDownLatch(1).await();
                            });
                    return LONG;
                };
        thread.start();
        idle.await();

        thread.stop(LONG, Duration.ZERO);

        assertThat(end.getCount()).isZero();
    }

    @Test
    void a_failure_after_a_request_to_stop_is_ignored() throws InterruptedException {
        step =
                () -> {
                    while (thread.isRunning()) {
                        Thread.onSpinWait();
                    }
                    return fail(new IllegalStateException("for the test"));
                };
        thread.start();
        steps.acquire();

        thread.stop(LONG, Duration.ZERO);

        assertThat(failures).isEmpty();
        assertThat(thread.isFailing()).isFalse();
    }

    @Test
    void an_interrupted_thread_is_reported_as_ended() throws InterruptedException {
        step =
                () -> {
                    Thread.currentThread().interrupt();
                    return Duration.ZERO;
                };
        thread.start();

        assertThat(thread.join(LONG)).isTrue();

        assertThat(thread.endedThreads()).containsExactly(NAME);
    }

    @Test
    void a_stopped_thread_is_not_reported_as_ended() throws InterruptedException {
        thread.start();
        steps.acquire();

        thread.stop(LONG, Duration.ZERO);

        assertThat(thread.endedThreads()).isEmpty();
    }

    @Test
    void a_thread_can_be_started_again_after_a_stop() throws InterruptedException {
        thread.start();
        steps.acquire();
        thread.stop(LONG, Duration.ZERO);

        thread.start();

        steps.acquire();
        assertThat(thread.isRunning()).isTrue();
    }
}
