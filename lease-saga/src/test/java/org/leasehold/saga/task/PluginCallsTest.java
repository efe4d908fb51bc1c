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

class PluginCallsTest {

    private static final ResourceKind HOSTS = ResourceKind.PHYSICAL_HOST;
    private static final ResourceKind VOLUMES = new ResourceKind("volume");

    private final PluginCalls calls = new PluginCalls(2, Duration.ofMillis(50));

    @Test
    void a_plugin_with_enough_to_do_gets_no_more_and_others_do() {
        var first = enter(HOSTS, "a").orElseThrow();
        assertThat(enter(HOSTS, "b")).isPresent();
        assertThat(enter(HOSTS, "c")).isEmpty();
        assertThat(enter(VOLUMES, "d")).isPresent();

        first.close();

        assertThat(enter(HOSTS, "c")).isPresent();
    }

    @Test
    void there_is_one_call_for_a_subject_at_a_time() {
        var first = enter(HOSTS, "a").orElseThrow();
        assertThat(enter(HOSTS, "a")).isEmpty();

        first.close();

        assertThat(enter(HOSTS, "a")).isPresent();
    }

    @Test
    void a_call_that_takes_too_long_counts_until_it_comes_back() throws InterruptedException {
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
    void a_call_gives_its_permit_back_whatever_it_answers() throws InterruptedException {
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
    void a_call_is_made_as_soon_as_another_one_ends() throws Exception {
        var first = enter(HOSTS, "a").orElseThrow();
        assertThat(enter(HOSTS, "b")).isPresent();
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var third = thread.submit(() -> calls.enter(HOSTS, "c", Duration.ofMinutes(1)));

            first.close();

            assertThat(third.get()).isPresent();
        }
    }

    private Optional<PluginCalls.Slot> enter(ResourceKind kind, String subject) {
        try {
            return calls.enter(kind, subject, Duration.ZERO);
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
