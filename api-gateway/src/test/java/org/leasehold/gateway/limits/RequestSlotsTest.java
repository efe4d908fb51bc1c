package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.RequestSlots.Turn;

import java.time.Duration;

class RequestSlotsTest {

    private final RequestSlots slots = new RequestSlots(2, 3, Duration.ZERO);

    @Test
    void an_owner_with_all_of_its_slots_leaves_others_theirs() throws InterruptedException {
        Turn first = slots.take("alice");
        Turn second = slots.take("alice");
        assertThat(first).isInstanceOf(Turn.Taken.class);
        assertThat(second).isInstanceOf(Turn.Taken.class);

        assertThat(slots.take("alice")).isInstanceOf(Turn.OwnTaken.class);
        assertThat(slots.take("bob")).isInstanceOf(Turn.Taken.class);
    }

    @Test
    void all_owners_together_have_a_limit() throws InterruptedException {
        Turn first = slots.take("alice");
        Turn second = slots.take("alice");
        Turn third = slots.take("bob");
        assertThat(third).isInstanceOf(Turn.Taken.class);

        assertThat(slots.take("carol")).isInstanceOf(Turn.AllTaken.class);
        // A failed attempt leaves no slot taken.
        assertThat(slots.take("carol")).isInstanceOf(Turn.AllTaken.class);
        assertThat(slots.take("carol")).isInstanceOf(Turn.AllTaken.class);
        assertThat(first).isNotSameAs(second);
    }

    @Test
    void a_slot_that_is_closed_is_free_again() throws InterruptedException {
        Turn kept = slots.take("alice");
        ((Turn.Taken) slots.take("alice")).close();
        assertThat(kept).isInstanceOf(Turn.Taken.class);

        assertThat(slots.take("alice")).isInstanceOf(Turn.Taken.class);
    }

    @Test
    void a_request_waits_for_its_slot() throws Exception {
        RequestSlots patient = new RequestSlots(1, 1, Duration.ofMinutes(5));
        Turn.Taken first = (Turn.Taken) patient.take("alice");
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        ((Turn.Taken) patient.take("alice")).close();
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        while (!first.own().hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        first.close();
        waiting.join();

        assertThat(patient.take("alice")).isInstanceOf(Turn.Taken.class);
    }
}
