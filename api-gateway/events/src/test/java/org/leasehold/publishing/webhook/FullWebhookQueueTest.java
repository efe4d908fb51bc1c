package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.webhook.WebhookReceiver.Answer;

import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/** The deliveries that a full queue gives up. */
class FullWebhookQueueTest extends WebhookDeliveryFixture {

    @Test
    void a_full_queue_gives_up_the_delivery_with_the_largest_attempt_count() {
        receiver.answer = message -> new Answer(message.position() <= 2 ? 400 : 200);
        UUID hook = office.hook("p1", receiver.url());
        WebhookDispatcher courier = office.node("a").courier();
        office.live("p1", 1, "sick", "sicker", "sicker");
        courier.deliverPending(hook, () -> true);
        execute("UPDATE webhook_letter SET step = 5, attempts = 6 WHERE position = 2");
        office.layBy(hook, WebhookDispatcher.MAX_WAITING - 3, 4);
        office.live("p1", 1, "sound", "sicker");

        workOff(courier, hook);

        // Events behind it follow later, in order; new events do not wait for it.
        assertThat(receiver.positions()).containsExactly(1L, 2L, 4L, 3L, 5L);
        assertThat(office.position(hook)).isEqualTo(5);
        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.MAX_WAITING - 2);
        assertThat(
                        office.database
                                .jdbc()
                                .queryForMap("SELECT * FROM webhook_letter WHERE next_at IS NULL"))
                .containsEntry("position", 2L)
                .containsEntry("attempts", 6)
                .containsEntry("failure", "The receiver answered 400.");
    }

    private void execute(String statement) {
        office.database.jdbc().update(statement);
    }

    /** Works until no event is left for now. */
    private void workOff(WebhookDispatcher courier, UUID hook) {
        do {
            assertThat(office.waiting(hook)).isLessThanOrEqualTo(WebhookDispatcher.MAX_WAITING);
        } while (courier.deliverPending(hook, () -> true));
    }

    @Test
    void a_full_queue_gives_up_the_oldest_of_deliveries_with_equal_attempts() {
        receiver.answer = _ -> new Answer(400);
        UUID hook = office.hook("p1", receiver.url());
        office.layBy(hook, WebhookDispatcher.MAX_WAITING, 1);
        office.live("p1", 1, "a", "b", "c");

        workOff(office.node("a").courier(), hook);

        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.MAX_WAITING);
        assertThat(givenUp()).containsExactly(-1000L, -999L, -998L);
    }

    private List<Long> givenUp() {
        return office.database
                .client()
                .sql("SELECT position FROM webhook_letter WHERE next_at IS NULL ORDER BY position")
                .query(Long.class)
                .list();
    }

    @Test
    void a_full_queue_gives_up_no_delivery_to_an_unreachable_receiver() {
        receiver.answer = _ -> new Answer(502);
        UUID hook = office.hook("p1", receiver.url());
        WebhookDispatcher courier = office.node("a").courier();
        office.layBy(
                hook,
                WebhookDispatcher.MAX_WAITING - WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES,
                1);
        office.live("p1", 1, leases("lease-", 3 * WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES));

        workOff(courier, hook);

        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.MAX_WAITING);
        assertThat(givenUp()).isEmpty();
        assertThat(office.position(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(receiver.messages).hasSize(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
    }

    /** A requested retry must not become a dead letter before its attempt. */
    @Test
    void a_full_queue_gives_up_no_delivery_without_an_attempt() {
        UUID hook = office.hook("p1", receiver.url());
        WebhookDispatcher courier = office.node("a").courier();
        office.layBy(hook, WebhookDispatcher.MAX_WAITING, 0);
        office.live("p1", 1, "sound");

        workOff(courier, hook);
        assertThat(givenUp()).isEmpty();
        assertThat(receiver.messages).isEmpty();

        execute("UPDATE webhook_letter SET step = 1 WHERE position = -7");
        workOff(courier, hook);
        assertThat(givenUp()).containsExactly(-7L);
        assertThat(receiver.positions()).containsExactly(1L);
    }

    @Test
    void events_behind_a_failed_delivery_respect_the_queue_limit() {
        int events = WebhookDispatcher.MAX_WAITING + 5;
        receiver.answer = message -> new Answer(message.position() == 1 ? 500 : 200);
        UUID hook = office.hook("p1", receiver.url());
        office.live("p1", events, "lease-1");

        workOff(office.node("a").courier(), hook);

        assertThat(givenUp()).containsExactly(1L);
        assertThat(receiver.positions())
                .isEqualTo(LongStream.rangeClosed(1, events).boxed().toList());
    }
}
