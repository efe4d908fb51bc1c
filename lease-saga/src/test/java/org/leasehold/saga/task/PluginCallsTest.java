package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.fakes.Await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

class PluginCallsTest {

    private static final ResourceKind HOSTS = ResourceKind.PHYSICAL_HOST;
    private static final ResourceKind VOLUMES = new ResourceKind("volume");

    private final PluginCalls calls = new PluginCalls(2, Duration.ofMillis(50));

    @Test
    void a_plugin_with_enough_to_do_gets_no_more_and_others_do() {
        var first = calls.enter(HOSTS, "a").orElseThrow();
        assertThat(calls.enter(HOSTS, "b")).isPresent();
        assertThat(calls.enter(HOSTS, "c")).isEmpty();
        assertThat(calls.enter(VOLUMES, "d")).isPresent();

        first.close();

        assertThat(calls.enter(HOSTS, "c")).isPresent();
    }

    @Test
    void there_is_one_call_for_a_subject_at_a_time() {
        var first = calls.enter(HOSTS, "a").orElseThrow();
        assertThat(calls.enter(HOSTS, "a")).isEmpty();

        first.close();

        assertThat(calls.enter(HOSTS, "a")).isPresent();
    }

    @Test
    void a_call_that_takes_too_long_counts_until_it_comes_back() throws InterruptedException {
        CountDownLatch comesBack = new CountDownLatch(1);
        try (var slot = calls.enter(HOSTS, "a").orElseThrow()) {
            Result result = slot.call(() -> awaitWhateverHappens(comesBack));

            assertThat(result)
                    .isEqualTo(
                            new Result.Failed(
                                    new Fault(Fault.Kind.RETRYABLE, "no answer within PT0.05S")));
        }
        assertThat(calls.enter(HOSTS, "a")).isEmpty();

        comesBack.countDown();

        Await.until("it came back", () -> calls.enter(HOSTS, "a").isPresent());
    }

    @Test
    void a_call_gives_its_permit_back_whatever_it_answers() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            try (var slot = calls.enter(HOSTS, "a").orElseThrow()) {
                slot.call(
                        () -> {
                            throw new IllegalStateException("a bug");
                        });
            }
        }
        assertThat(calls.enter(HOSTS, "a")).isPresent();
    }

    private static Result awaitWhateverHappens(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return new Result.Done();
            } catch (InterruptedException deaf) {
                // A driver that does not care.
            }
        }
    }
}
