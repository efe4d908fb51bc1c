package org.leasehold.gateway.api.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.readmodel.subscription.Webhooks.Order;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Responses about webhooks. */
public final class WebhookResponses {

    private WebhookResponses() {}

    /** Webhooks, by their ids. */
    record WebhookPage(List<WebhookLine> webhooks, @Nullable String next) {}

    /**
     * A webhook and its state.
     *
     * @param projectId the project that owns it
     * @param userId the id of its creator
     * @param types names in the event catalog; none for all
     * @param disabledBecause why the engine switched it off; null if it did not
     * @param position all events up to there are delivered, waiting or dead letters
     * @param waiting how many events wait for a retry, or behind one that does
     * @param dead the number of dead letters
     */
    record WebhookLine(
            UUID id,
            WebhookScope scope,
            @FormerName("project") String projectId,
            @FormerName("user") String userId,
            String url,
            List<String> types,
            @Nullable String description,
            boolean enabled,
            @Nullable String disabledBecause,
            Instant createdAt,
            long position,
            long waiting,
            long dead) {

        static WebhookLine of(Webhook webhook) {
            Order order = webhook.order();
            return new WebhookLine(
                    order.id(),
                    order.everything() ? WebhookScope.ALL : WebhookScope.PROJECT,
                    order.project().value(),
                    order.user().value(),
                    order.url(),
                    order.types().stream().sorted().toList(),
                    order.description(),
                    order.enabled(),
                    webhook.disabledBecause(),
                    order.createdAt(),
                    webhook.position(),
                    webhook.waiting(),
                    webhook.dead());
        }

        /** Leaves the address out: it may contain a secret. */
        @Override
        public String toString() {
            return "webhook " + id;
        }
    }

    /**
     * A new webhook.
     *
     * @param secret signs its messages
     */
    record MadeWebhook(WebhookLine webhook, String secret) {

        /** Keeps the secret out of logs. */
        @Override
        public String toString() {
            return "a webhook with its secret";
        }
    }

    /**
     * The new secret that signs messages.
     *
     * @param formerUntil the time until which former secrets sign them, too
     */
    record ReplacedSecret(String secret, Instant formerUntil) {

        /** Keeps the secret out of logs. */
        @Override
        public String toString() {
            return "a secret";
        }
    }

    /** Dead letters, in order. */
    record DeadLetterPage(List<DeadLetter> deadLetters, @Nullable String next) {}

    /**
     * An event whose delivery failed in all attempts.
     *
     * @param position its position in the event log
     * @param eventId its id
     * @param type its name in the event catalog
     * @param attempts the number of attempts
     * @param status the status of the receiver's last response; null if there was none
     * @param failure the last error
     */
    record DeadLetter(
            long position,
            @FormerName("event") UUID eventId,
            String type,
            int attempts,
            @Nullable Integer status,
            @Nullable String failure,
            Instant firstAt,
            Instant lastAt) {

        static DeadLetter of(org.leasehold.readmodel.subscription.Webhooks.DeadLetter letter) {
            return new DeadLetter(
                    letter.position(),
                    letter.event(),
                    letter.type(),
                    letter.attempts(),
                    letter.status(),
                    letter.failure(),
                    letter.firstAt(),
                    letter.lastAt());
        }
    }
}
