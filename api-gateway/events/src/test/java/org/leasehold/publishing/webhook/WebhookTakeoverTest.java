package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.webhook.WebhookFixture.Node;
import org.leasehold.publishing.webhook.WebhookReceiver.Answer;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/** Deliveries by several nodes, and after a crash. */
class WebhookTakeoverTest extends WebhookDeliveryFixture {

    @Test
    void one_of_two_nodes_delivers_and_the_other_takes_over() {
        UUID hook = office.hook("p1", receiver.url());
        Node a = office.node("a");
        Node b = office.node("b");
        a.deliveries().start();
        office.live("p1", 2, "lease-1");
        office.awaitProcessed(hook);
        b.deliveries().start();
        office.live("p1", 20, "lease-1", "lease-2");
        office.awaitProcessed(hook);
        assertThat(office.readSide.owner()).startsWith("a ");

        a.stop();
        office.live("p1", 20, "lease-1", "lease-2");
        office.awaitProcessed(hook);

        assertThat(office.readSide.owner()).startsWith("b ");
        assertThat(receiver.positions()).isEqualTo(LongStream.rangeClosed(1, 82).boxed().toList());
    }

    /** The node has sent a message, and stops until another has long continued. */
    @Test
    void an_outdated_node_repeats_a_delivery_but_does_not_move_the_offset()
            throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        receiver.answer =
                message -> {
                    if (first.getAndSet(false)) {
                        awaitLatch(end);
                    }
                    return new Answer(message.position() == 3 ? 500 : 200);
                };
        UUID hook = office.hook("p1", receiver.url());
        office.live("p1", 4, "lease-1");
        Node frozen = office.node("a");
        Thread zombie =
                Thread.ofVirtual().start(() -> frozen.courier().deliverPending(hook, () -> true));
        awaitMessages(1);

        assertThat(office.node("b").courier().deliverPending(hook, () -> true)).isTrue();
        assertThat(office.position(hook)).isEqualTo(4);
        end.countDown();
        zombie.join();

        assertThat(office.position(hook)).isEqualTo(4);
        assertThat(receiver.positions()).containsExactly(1L, 1L, 2L, 3L);
        assertThat(office.waiting(hook)).isEqualTo(2);
    }

    /** No event is missing, whatever was running. */
    @Test
    void a_crash_between_answer_and_saved_offset_repeats_the_delivery() {
        UUID hook = office.hook("p1", receiver.url());
        office.database
                .jdbc()
                .execute(
                        """
                        CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                            'BEGIN RAISE EXCEPTION ''killed''; END';
                        CREATE TRIGGER die BEFORE UPDATE ON webhook FOR EACH ROW
                            WHEN (new.position = 2) EXECUTE FUNCTION die();
                        """);
        office.live("p1", 3, "lease-1");
        try {
            assertThatThrownBy(() -> office.node("a").courier().deliverPending(hook, () -> true))
                    .hasMessageContaining("killed");
        } finally {
            office.database.jdbc().execute("DROP FUNCTION die CASCADE");
        }

        assertThat(office.node("b").courier().deliverPending(hook, () -> true)).isTrue();

        assertThat(receiver.positions()).containsExactly(1L, 2L, 2L, 3L);
        assertThat(office.position(hook)).isEqualTo(3);
    }
}
