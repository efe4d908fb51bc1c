package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.leasehold.publishing.webhook.WebhookFixture.SECRET;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.webhook.WebhookFixture.Node;
import org.leasehold.publishing.webhook.WebhookReceiver.Message;

import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.stream.LongStream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The guarantees for receivers that work. */
class WebhookPublicationTest extends WebhookDeliveryFixture {

    @Test
    void a_delivery_is_a_signed_cloud_event() throws Exception {
        office.live("p1", 1, "before");
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, "lease-1");
        awaitMessages(1);
        office.awaitProcessed(hook);

        assertThat(receiver.messages).hasSize(1);
        Message message = receiver.messages.getFirst();
        String id =
                office.database
                        .client()
                        .sql("SELECT event_id::text FROM domain_event WHERE position = 2")
                        .query(String.class)
                        .single();
        assertThat(message.method() + message.path()).isEqualTo("POST/hook");
        assertThat(message.header("content-type")).isEqualTo("application/cloudevents+json");
        assertThat(message.header("webhook-id")).isEqualTo(id);
        assertThat(message.json().path("id").asString()).isEqualTo(id);
        assertThat(message.hasProperties()).isFalse();
        assertThat(Long.parseLong(message.header("webhook-timestamp")))
                .isCloseTo(Instant.now().getEpochSecond(), offset(600L));
        assertThat(message.header("webhook-signature")).isEqualTo(signature(SECRET, message));
    }

    /** Computes the signature as a receiver does. */
    private static String signature(String secret, Message message) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(
                new SecretKeySpec(
                        Base64.getDecoder().decode(secret.substring("whsec_".length())), "raw"));
        String signed =
                String.join(
                        ".",
                        message.header("webhook-id"),
                        message.header("webhook-timestamp"),
                        message.body());
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    }

    @Test
    void a_delivery_is_signed_with_every_secret_that_is_still_valid() throws Exception {
        String former = SECRET.replace("AAEC", "BBBB");
        String forgotten = SECRET.replace("AAEC", "CCCC");
        UUID hook = office.hook("p1", receiver.url());
        office.database.jdbc().update("DELETE FROM webhook_secret");
        office.addSecret(hook, forgotten);
        office.database.jdbc().update("UPDATE webhook_secret SET until = now()");
        office.addSecret(hook, former);
        office.database
                .jdbc()
                .update("UPDATE webhook_secret SET until = 'infinity' WHERE until IS NULL");
        office.addSecret(hook, SECRET);
        office.start();
        office.live("p1", 1, "lease-1");
        awaitMessages(1);

        Message message = receiver.messages.getFirst();
        assertThat(message.header("webhook-signature"))
                .isEqualTo(signature(SECRET, message) + " " + signature(former, message));
    }

    @Test
    void a_webhook_receives_the_events_of_the_project_or_of_all_projects() {
        UUID hook = office.hook("p1", receiver.url(), "LeaseStarting");
        try (WebhookReceiver all = new WebhookReceiver()) {
            UUID everything = office.hook("p0", true, all.url());
            office.start();
            office.live("p1", 2, "lease-1");
            office.live("p2", 2, "lease-2");
            office.database.append("Resource", "7", "ResourceEnabled", "{}", "{}");
            office.live("p1", 1, "lease-1");
            office.awaitProcessed(hook);
            office.awaitProcessed(everything);

            assertThat(receiver.positions()).containsExactly(2L, 6L);
            assertThat(all.positions()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(all.messages)
                    .allMatch(message -> message.hasProperties() || message.stream().equals("7"));
        }
    }

    @Test
    void a_working_receiver_gets_every_event_once_and_in_order() {
        UUID hook = office.hook("p1", receiver.url());
        Node node = office.start();
        office.live("p1", 50, "lease-1", "lease-2", "lease-3");
        office.awaitProcessed(hook);

        assertThat(receiver.positions()).isEqualTo(LongStream.rangeClosed(1, 150).boxed().toList());
        assertThat(node.deliveries().isFailing()).isFalse();
        assertThat(node.deliveries().offset()).isEqualTo(Long.MAX_VALUE);
        assertThat(office.waiting(hook)).isZero();
    }

    @Test
    void the_text_of_a_webhook_contains_no_secret_and_no_url_token() {
        UUID id = office.hook("p1", receiver.url() + "?token=s3cr3t");
        EnabledWebhook hook = office.node("a").webhooks().webhook(id).orElseThrow();

        assertThat(hook.secrets()).containsExactly(SECRET);
        assertThat(hook.toString()).doesNotContain("whsec").doesNotContain("s3cr3t");
    }
}
