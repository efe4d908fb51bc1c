package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.publishing.EventFeedFixture.await;
import static org.leasehold.publishing.webhook.WebhookFixture.WAIT_LIMIT;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.webhook.WebhookFixture.Node;
import org.leasehold.publishing.webhook.WebhookReceiver.Answer;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Receivers that redirect, flood, stay silent, or move to a forbidden address. */
class HostileReceiversTest extends WebhookDeliveryFixture {

    @Test
    void a_redirect_is_not_followed() {
        try (WebhookReceiver other = new WebhookReceiver()) {
            receiver.answer = _ -> new Answer(307, Map.of("Location", other.url()), "");
            UUID hook = office.hook("p1", receiver.url());
            office.start();
            office.live("p1", 1, "lease-1");
            office.awaitProcessed(hook);

            assertThat(other.messages).isEmpty();
            assertThat(office.number("SELECT status FROM webhook_letter")).isEqualTo(307);
        }
    }

    @Test
    void a_huge_answer_does_not_stop_deliveries() {
        receiver.answer = _ -> new Answer(200, Map.of(), "x".repeat(10_000_000));
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 3, "lease-1");
        office.awaitProcessed(hook);

        assertThat(receiver.positions()).containsExactly(1L, 2L, 3L);
        assertThat(office.waiting(hook)).isZero();
    }

    @Test
    void a_silent_receiver_times_out_and_does_not_delay_other_receivers() {
        CountDownLatch end = new CountDownLatch(1);
        receiver.answer =
                _ -> {
                    awaitLatch(end);
                    return new Answer(200);
                };
        try (WebhookReceiver quick = new WebhookReceiver()) {
            UUID slow = office.hook("p1", receiver.url());
            UUID other = office.hook("p1", quick.url());
            office.start();
            office.live("p1", 5, "lease-1");
            office.awaitProcessed(other);

            // Its first message is still running, or has just been cancelled.
            assertThat(quick.positions()).containsExactly(1L, 2L, 3L, 4L, 5L);
            await(() -> office.waiting(slow) == 5, WAIT_LIMIT);
            assertThat(
                            office.number(
                                    "SELECT count(*) FROM webhook_letter WHERE failure = ?",
                                    "There was no answer in time."))
                    .isEqualTo(1);
        } finally {
            end.countDown();
        }
    }

    /** The name had a permitted address at the first check. */
    @Test
    void a_host_rebound_to_a_forbidden_address_is_not_contacted() {
        AtomicBoolean rebound = new AtomicBoolean();
        WebhookSettings settings =
                new WebhookSettings(
                        20,
                        List.of("127.0.0.2/32"),
                        true,
                        Duration.ofHours(24),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        WebhookFixture.PAUSES);
        HostResolver names =
                _ ->
                        new InetAddress[] {
                            InetAddress.getByName(
                                    rebound.getAndSet(true) ? "127.0.0.1" : "127.0.0.2")
                        };
        UUID hook = office.hook("p1", "http://hooks.example.org:" + receiver.port() + "/");
        Node node = office.node("a", names, settings);
        assertThat(
                        new ConfiguredWebhookRules(
                                        settings,
                                        new PermittedAddressResolver(
                                                names,
                                                new DestinationPolicy(settings.allowedNetworks())))
                                .findObjection("http://hooks.example.org/"))
                .isEmpty();
        node.deliveries().start();
        office.live("p1", 1, "lease-1");
        office.awaitProcessed(hook);

        assertThat(receiver.messages).isEmpty();
        assertThat(
                        office.database
                                .client()
                                .sql("SELECT failure FROM webhook_letter")
                                .query(String.class)
                                .single())
                .isEqualTo("The host has no known addresses, or not all of them are permitted.");
    }
}
