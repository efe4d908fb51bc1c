package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.publishing.EventFeedFixture.await;
import static org.leasehold.publishing.webhook.WebhookFixture.WAIT_LIMIT;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.webhook.WebhookFixture.Node;
import org.leasehold.publishing.webhook.WebhookReceiver.Answer;
import org.leasehold.publishing.webhook.WebhookReceiver.Message;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/** The limits of deliveries to a receiver that accepts nothing. */
class UnreachableReceiversTest extends WebhookDeliveryFixture {

    private static final String RESTING =
            "SELECT count(*) FROM webhook WHERE resting_until > now() + interval '1 hour'";

    @Test
    void an_unreachable_receiver_limits_the_queue_and_gets_all_events_later() throws Exception {
        int port = receiver.port();
        receiver.close();
        UUID hook = office.hook("p1", "http://127.0.0.1:" + port + "/");
        Node node = office.start();
        office.live("p1", 2, leases("lease-", 40));
        await(
                () -> office.waiting(hook) >= WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES,
                WAIT_LIMIT);
        node.stop();

        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(office.position(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(office.number("SELECT count(*) FROM webhook_letter WHERE status IS NULL"))
                .isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);

        receiver = new WebhookReceiver();
        office.database.jdbc().update("UPDATE webhook SET url = ?", receiver.url());
        office.letPausesPass();
        office.start();
        office.awaitProcessed(hook);
        await(() -> office.waiting(hook) == 0, WAIT_LIMIT);
        assertThat(Set.copyOf(receiver.positions()))
                .isEqualTo(Set.copyOf(LongStream.rangeClosed(1, 80).boxed().toList()));
        assertEachLeaseInOrder();
    }

    /** Ignores repeats. */
    private void assertEachLeaseInOrder() {
        Map<String, Deque<Long>> last = new TreeMap<>();
        for (Message message : receiver.messages) {
            Deque<Long> delivered = last.computeIfAbsent(message.stream(), _ -> new ArrayDeque<>());
            if (!delivered.contains(message.position())) {
                assertThat(delivered).allMatch(before -> before < message.position());
                delivered.add(message.position());
            }
        }
    }

    /** Waiting events become due once the receiver accepts events again. */
    @Test
    void a_recovered_receiver_gets_waiting_events_without_backoff() {
        AtomicBoolean back = new AtomicBoolean();
        receiver.answer = _ -> new Answer(back.get() ? 200 : 502);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, leases("lease-", 30));
        await(
                () -> office.waiting(hook) == WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES,
                WAIT_LIMIT);
        back.set(true);
        office.database
                .jdbc()
                .update("UPDATE webhook_letter SET next_at = now() WHERE position = 1");

        office.awaitProcessed(hook);
        await(() -> office.waiting(hook) == 0, WAIT_LIMIT);
        assertThat(receiver.messages).hasSize(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES + 30);
    }

    @Test
    void a_receiver_that_repeats_retry_after_counts_as_unreachable() throws InterruptedException {
        receiver.answer = _ -> new Answer(503, Map.of("Retry-After", "7200"), "");
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, leases("lease-", 2 * WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES));
        for (int i = 1; i <= WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES; i++) {
            int asked = i;
            await(() -> office.waiting(hook) == asked, WAIT_LIMIT);
            await(() -> office.number(RESTING) == 1, WAIT_LIMIT);
            office.database.jdbc().update("UPDATE webhook SET resting_until = now()");
        }

        // Longer than the interval between polls.
        Thread.sleep(1_500);
        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(receiver.messages).hasSize(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
    }

    @Test
    void failing_leases_do_not_stop_the_events_of_a_new_lease() {
        int sick = WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES - 1;
        receiver.answer = message -> new Answer(message.stream().startsWith("sick") ? 400 : 200);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, leases("sick-", sick));
        office.awaitProcessed(hook);
        office.letPausesPass();
        awaitMessages(2 * sick);

        office.live("p1", 1, "sound");
        office.awaitProcessed(hook);
        assertThat(receiver.messages.getLast().stream()).isEqualTo("sound");
        assertThat(office.waiting(hook)).isEqualTo(sick);
    }
}
