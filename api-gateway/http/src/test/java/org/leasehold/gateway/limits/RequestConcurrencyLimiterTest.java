package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.RequestConcurrencyLimiter.Turn;

import java.time.Duration;

class RequestConcurrencyLimiterTest {

    private final RequestConcurrencyLimiter slots =
            new RequestConcurrencyLimiter(2, 3, Duration.ZERO);

    @Test
    void an_owner_at_the_limit_leaves_slots_to_others() throws InterruptedException {
        Turn first = slots.acquire("alice");
        Turn second = slots.acquire("alice");
        assertThat(first).isInstanceOf(Turn.Taken.class);
        assertThat(second).isInstanceOf(Turn.Taken.class);

        assertThat(slots.acquire("alice")).isInstanceOf(Turn.OwnTaken.class);
        assertThat(slots.acquire("bob")).isInstanceOf(Turn.Taken.class);
    }

    @Test
    void all_owners_together_have_a_limit() throws InterruptedException {
        Turn first = slots.acquire("alice");
        Turn second = slots.acquire("alice");
        Turn third = slots.acquire("bob");
        assertThat(third).isInstanceOf(Turn.Taken.class);

        assertThat(slots.acquire("carol")).isInstanceOf(Turn.AllTaken.class);
        // A failed attempt leaves no slot taken.
        assertThat(slots.acquire("carol")).isInstanceOf(Turn.AllTaken.class);
        assertThat(slots.acquire("carol")).isInstanceOf(Turn.AllTaken.class);
        assertThat(first).isNotSameAs(second);
    }

    @Test
    void a_slot_that_is_closed_is_free_again() throws InterruptedException {
        Turn kept = slots.acquire("alice");
        ((Turn.Taken) slots.acquire("alice")).close();
        assertThat(kept).isInstanceOf(Turn.Taken.class);

        assertThat(slots.acquire("alice")).isInstanceOf(Turn.Taken.class);
    }

    @Test
    void a_request_waits_for_a_free_slot() throws Exception {
        RequestConcurrencyLimiter patient =
                new RequestConcurrencyLimiter(1, 1, Duration.ofMinutes(5));
        Turn.Taken first = (Turn.Taken) patient.acquire("alice");
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        ((Turn.Taken) patient.acquire("alice")).close();
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        while (!first.own().hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        first.close();
        waiting.join();

        assertThat(patient.acquire("alice")).isInstanceOf(Turn.Taken.class);
    }
}
