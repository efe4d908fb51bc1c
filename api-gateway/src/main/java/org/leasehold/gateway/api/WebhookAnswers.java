package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Webhooks.Order;
import org.leasehold.query.Webhooks.Webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What is told of webhooks. */
final class WebhookAnswers {

    private WebhookAnswers() {}

    /** Webhooks, by their ids. */
    record WebhookPage(List<WebhookLine> webhooks, @Nullable String next) {}

    /**
     * A webhook, and how it is doing.
     *
     * @param project whose it is
     * @param user the id of who made it
     * @param types names in the event catalog; none for all
     * @param disabledBecause why the engine switched it off; null if it did not
     * @param position everything up to there was told, waits or was given up
     * @param waiting how many events wait for another try, or behind one that does
     * @param dead how many were given up
     */
    record WebhookLine(
            UUID id,
            WebhookScope scope,
            String project,
            String user,
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

        /** Without the address: there may be a secret in it. */
        @Override
        public String toString() {
            return "webhook " + id;
        }
    }

    /**
     * A webhook that has just been made.
     *
     * @param secret what its messages are signed with
     */
    record MadeWebhook(WebhookLine webhook, String secret) {

        /** Does not tell it to a log. */
        @Override
        public String toString() {
            return "a webhook with its secret";
        }
    }

    /**
     * What messages are signed with from now on.
     *
     * @param formerUntil until when they are signed with those before, too
     */
    record ReplacedSecret(String secret, Instant formerUntil) {

        /** Does not tell it to a log. */
        @Override
        public String toString() {
            return "a secret";
        }
    }

    /** What was given up, in order. */
    record DeadLetterPage(List<DeadLetter> deadLetters, @Nullable String next) {}

    /**
     * An event that was given up after its last try.
     *
     * @param position its place among all events
     * @param event its id
     * @param type its name in the event catalog
     * @param attempts how often it was tried
     * @param status what the receiver answered the last time; null if it did not
     * @param failure what went wrong the last time
     */
    record DeadLetter(
            long position,
            UUID event,
            String type,
            int attempts,
            @Nullable Integer status,
            @Nullable String failure,
            Instant firstAt,
            Instant lastAt) {

        static DeadLetter of(org.leasehold.query.Webhooks.DeadLetter letter) {
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
