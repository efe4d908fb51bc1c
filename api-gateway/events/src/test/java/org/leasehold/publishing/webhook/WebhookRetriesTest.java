package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.publishing.EventFeedFixture.await;
import static org.leasehold.publishing.webhook.WebhookFixture.WAIT_LIMIT;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.webhook.WebhookFixture.Node;
import org.leasehold.publishing.webhook.WebhookReceiver.Answer;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The pauses before retries, and the events that wait for a retry. */
class WebhookRetriesTest extends WebhookDeliveryFixture {

    @Test
    void a_failed_delivery_delays_only_the_events_of_the_same_lease() {
        AtomicBoolean well = new AtomicBoolean();
        receiver.answer =
                message -> new Answer(message.stream().equals("sick") && !well.get() ? 500 : 200);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 3, "sick", "sound");
        office.awaitProcessed(hook);

        assertThat(receiver.positions()).containsExactly(1L, 2L, 4L, 6L);
        assertThat(office.waiting(hook)).isEqualTo(3);
        well.set(true);
        office.letPausesPass();
        await(() -> office.waiting(hook) == 0, WAIT_LIMIT);

        assertThat(receiver.positions()).containsExactly(1L, 2L, 4L, 6L, 1L, 3L, 5L);
        assertThat(receiver.messages.get(4).header("webhook-id"))
                .isEqualTo(receiver.messages.getFirst().header("webhook-id"));
        assertThat(office.dead(hook)).isZero();
    }

    @Test
    void the_last_failed_attempt_makes_a_dead_letter_and_unblocks_the_lease() {
        receiver.answer =
                message ->
                        new Answer(
                                message.position() == 1 ? 500 : 200,
                                Map.of(),
                                "an answer that nobody keeps");
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 2, "lease-1");
        office.awaitProcessed(hook);
        for (int tries = 1; tries <= WebhookFixture.PAUSES.size(); tries++) {
            awaitMessages(tries);
            int before = tries;
            await(
                    () ->
                            office.number(
                                            "SELECT attempts FROM webhook_letter"
                                                    + " WHERE position = 1")
                                    == before,
                    WAIT_LIMIT);
            office.letPausesPass();
        }
        await(() -> office.waiting(hook) == 0, WAIT_LIMIT);

        assertThat(receiver.positions()).containsExactly(1L, 1L, 1L, 2L);
        assertThat(office.dead(hook)).isEqualTo(1);
        Map<String, Object> letter =
                office.database.jdbc().queryForMap("SELECT * FROM webhook_letter");
        assertThat(letter)
                .containsEntry("attempts", 3)
                .containsEntry("status", 500)
                .containsEntry("failure", "The receiver answered 500.")
                .containsEntry("next_at", null);
        assertThat(letter.toString()).doesNotContain("nobody keeps");
    }

    @Test
    void the_backoff_grows_and_has_jitter() {
        receiver.answer = _ -> new Answer(500);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, "a", "b", "c");
        office.awaitProcessed(hook);

        List<Double> first = pauses();
        assertThat(first).hasSize(3).doesNotHaveDuplicates().allMatch(p -> p > 0.89 && p < 1.11);
        office.letPausesPass();
        await(
                () -> office.number("SELECT count(*) FROM webhook_letter WHERE attempts = 2") == 3,
                WAIT_LIMIT);
        assertThat(pauses()).hasSize(3).allMatch(p -> p > 1.78 && p < 2.22);
    }

    @Test
    void a_retry_after_header_pauses_the_webhook() {
        receiver.answer =
                message ->
                        message.position() == 1
                                ? new Answer(429, Map.of("Retry-After", "7200"), "")
                                : new Answer(200);
        UUID hook = office.hook("p1", receiver.url());
        Node node = office.start();
        office.live("p1", 1, "a", "b");
        await(() -> office.waiting(hook) == 1, WAIT_LIMIT);
        await(
                () ->
                        office.number(
                                        "SELECT count(*) FROM webhook WHERE resting_until"
                                                + " BETWEEN now() + interval '110 min'"
                                                + " AND now() + interval '121 min'")
                                == 1,
                WAIT_LIMIT);
        assertThat(pauses().getFirst()).isBetween(1.99, 2.01);
        assertThat(node.webhooks().findReady()).isEmpty();
        assertThat(office.position(hook)).isEqualTo(1);

        office.database.jdbc().update("UPDATE webhook SET resting_until = now()");
        office.awaitProcessed(hook);
        assertThat(receiver.positions()).containsExactly(1L, 2L);
    }

    /** The request is sent before the URL changes, and its response comes after. */
    @Test
    void a_retry_after_header_of_a_former_url_is_ignored() {
        CountDownLatch moved = new CountDownLatch(1);
        receiver.answer =
                _ -> {
                    awaitLatch(moved);
                    return new Answer(503, Map.of("Retry-After", "86400"), "");
                };
        try (WebhookReceiver other = new WebhookReceiver()) {
            UUID hook = office.hook("p1", receiver.url());
            office.start();
            office.live("p1", 1, "a", "b");
            awaitMessages(1);
            office.database.jdbc().update("UPDATE webhook SET url = ?", other.url());
            moved.countDown();
            office.awaitProcessed(hook);

            assertThat(other.positions()).containsExactly(2L);
            assertThat(pauses()).hasSize(1).allMatch(pause -> pause < 1.11);
        } finally {
            moved.countDown();
        }
    }
}
