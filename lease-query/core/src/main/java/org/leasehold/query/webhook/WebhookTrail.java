package org.leasehold.query.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.query.SubscriptionChanges.Action;
import org.leasehold.query.SubscriptionChanges.Done;
import org.leasehold.query.SubscriptionChanges.Kind;
import org.leasehold.query.Webhooks.Order;
import org.leasehold.query.Webhooks.Webhook;
import org.leasehold.query.subscription.SubscriptionTrail;

import java.net.URI;
import java.util.Map;
import java.util.TreeMap;

/** The record of changes of webhooks for auditors, with the API's names of fields. */
final class WebhookTrail {

    private static final String URL = "url";

    private final SubscriptionTrail trail;

    WebhookTrail(SubscriptionTrail trail) {
        this.trail = trail;
    }

    void made(Order order, CommandContext by) {
        note(order, Action.MADE, null, masked(fields(order)), by);
    }

    void removed(Webhook former, CommandContext by) {
        note(former.order(), Action.REMOVED, masked(fields(former)), null, by);
    }

    void changed(Webhook former, Webhook now, CommandContext by) {
        Map<String, Object> before = fields(former);
        Map<String, Object> after = fields(now);
        // If another part of an address changed, both sides still show the address.
        note(
                now.order(),
                Action.CHANGED,
                masked(SubscriptionTrail.without(before, after)),
                masked(SubscriptionTrail.without(after, before)),
                by);
    }

    void secretReplaced(Order order, CommandContext by) {
        note(
                order,
                Action.SECRET_REPLACED,
                SubscriptionTrail.SOME_SECRET,
                SubscriptionTrail.SOME_SECRET,
                by);
    }

    /** Records that the dead letter at this position waits again. */
    void retried(Webhook webhook, long position, CommandContext by) {
        String letter = "letters." + position;
        note(
                webhook.order(),
                Action.RETRIED,
                Map.of(letter, "dead"),
                Map.of(letter, "waiting"),
                by);
    }

    /** Records that all dead letters wait again. */
    void retried(Webhook former, Webhook now, CommandContext by) {
        Map<String, Object> before = letters(former);
        Map<String, Object> after = letters(now);
        note(
                now.order(),
                Action.RETRIED,
                SubscriptionTrail.without(before, after),
                SubscriptionTrail.without(after, before),
                by);
    }

    private static Map<String, Object> letters(Webhook webhook) {
        return Map.of("waiting", webhook.waiting(), "dead", webhook.dead());
    }

    private void note(
            Order order,
            Action action,
            @Nullable Map<String, Object> before,
            @Nullable Map<String, Object> after,
            CommandContext by) {
        trail.note(new Done(Kind.WEBHOOK, order.id(), order.project(), action, before, after), by);
    }

    private static Map<String, Object> fields(Webhook webhook) {
        Map<String, Object> fields = fields(webhook.order());
        if (webhook.disabledBecause() != null) {
            fields.put("disabled_because", webhook.disabledBecause());
        }
        return fields;
    }

    private static Map<String, Object> fields(Order order) {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("scope", order.everything() ? "all" : "project");
        fields.put("user", order.user().value());
        fields.put(URL, order.url());
        fields.put("types", order.types().stream().sorted().toList());
        if (order.description() != null) {
            fields.put("description", order.description());
        }
        fields.put("enabled", order.enabled());
        return fields;
    }

    /** Masks the parts of an address that may be secret: user, path and query. */
    private static Map<String, Object> masked(Map<String, Object> fields) {
        fields.computeIfPresent(URL, (_, url) -> masked(URI.create(url.toString())));
        return fields;
    }

    private static String masked(URI url) {
        String port = url.getPort() == -1 ? "" : ":" + url.getPort();
        return url.getScheme() + "://" + url.getHost() + port + "/" + SubscriptionTrail.HIDDEN;
    }
}
