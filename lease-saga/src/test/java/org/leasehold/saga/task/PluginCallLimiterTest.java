package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.fakes.Await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class PluginCallLimiterTest {

    private static final ResourceKind HOSTS = ResourceKind.PHYSICAL_HOST;
    private static final ResourceKind VOLUMES = new ResourceKind("volume");

    private final PluginCallLimiter calls = new PluginCallLimiter(2, Duration.ofMillis(50));

    @Test
    void a_plugin_at_the_concurrency_limit_does_not_block_other_plugins() {
        var first = enter(HOSTS, "a").orElseThrow();
        assertThat(enter(HOSTS, "b")).isPresent();
        assertThat(enter(HOSTS, "c")).isEmpty();
        assertThat(enter(VOLUMES, "d")).isPresent();

        first.close();

        assertThat(enter(HOSTS, "c")).isPresent();
    }

    @Test
    void a_subject_has_only_one_call_at_a_time() {
        var first = enter(HOSTS, "a").orElseThrow();
        assertThat(enter(HOSTS, "a")).isEmpty();

        first.close();

        assertThat(enter(HOSTS, "a")).isPresent();
    }

    @Test
    void a_timed_out_call_keeps_the_permit_until_it_returns() throws InterruptedException {
        CountDownLatch comesBack = new CountDownLatch(1);
        try (var slot = enter(HOSTS, "a").orElseThrow()) {
            Result result = slot.call(() -> awaitWhateverHappens(comesBack));

            assertThat(result)
                    .isEqualTo(
                            new Result.Failed(
                                    new Fault(Fault.Kind.RETRYABLE, "no answer within PT0.05S")));
        }
        assertThat(enter(HOSTS, "a")).isEmpty();

        comesBack.countDown();

        Await.until("it came back", () -> enter(HOSTS, "a").isPresent());
    }

    @Test
    void a_failed_call_releases_the_permit() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            try (var slot = enter(HOSTS, "a").orElseThrow()) {
                slot.call(
                        () -> {
                            throw new IllegalStateException("a bug");
                        });
            }
        }
        assertThat(enter(HOSTS, "a")).isPresent();
    }

    @Test
    void a_waiting_call_starts_when_another_call_ends() throws Exception {
        var first = enter(HOSTS, "a").orElseThrow();
        assertThat(enter(HOSTS, "b")).isPresent();
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var third = thread.submit(() -> calls.acquire(HOSTS, "c", Duration.ofMinutes(1)));

            first.close();

            assertThat(third.get()).isPresent();
        }
    }

    private Optional<PluginCallLimiter.Slot> enter(ResourceKind kind, String subject) {
        try {
            return calls.acquire(kind, subject, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Result awaitWhateverHappens(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return new Result.Done();
            } catch (InterruptedException deaf) {
                // A driver that ignores interrupts.
            }
        }
    }
}
