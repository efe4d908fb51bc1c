package org.leasehold.query.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.query.subscription.SubscriptionChangeRecorder;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Action;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Done;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Kind;
import org.leasehold.readmodel.subscription.Webhooks.Order;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;

import java.net.URI;
import java.util.Map;
import java.util.TreeMap;

/** The record of changes of webhooks for auditors, with the API's names of fields. */
final class WebhookChangeRecorder {

    private static final String URL = "url";

    private final SubscriptionChangeRecorder recorder;

    WebhookChangeRecorder(SubscriptionChangeRecorder trail) {
        this.recorder = trail;
    }

    void recordCreated(Order order, CommandContext by) {
        recordChange(order, Action.MADE, null, mask(fields(order)), by);
    }

    void recordRemoved(Webhook former, CommandContext by) {
        recordChange(former.order(), Action.REMOVED, mask(fields(former)), null, by);
    }

    void recordChanged(Webhook former, Webhook now, CommandContext by) {
        Map<String, Object> before = fields(former);
        Map<String, Object> after = fields(now);
        // If another part of an address changed, both sides still show the address.
        recordChange(
                now.order(),
                Action.CHANGED,
                mask(SubscriptionChangeRecorder.differingFields(before, after)),
                mask(SubscriptionChangeRecorder.differingFields(after, before)),
                by);
    }

    void recordSecretReplaced(Order order, CommandContext by) {
        recordChange(
                order,
                Action.SECRET_REPLACED,
                SubscriptionChangeRecorder.HIDDEN_SECRET,
                SubscriptionChangeRecorder.HIDDEN_SECRET,
                by);
    }

    /** Records that the dead letter at this position waits again. */
    void recordRetried(Webhook webhook, long position, CommandContext by) {
        String letter = "letters." + position;
        recordChange(
                webhook.order(),
                Action.RETRIED,
                Map.of(letter, "dead"),
                Map.of(letter, "waiting"),
                by);
    }

    /** Records that all dead letters wait again. */
    void recordRetried(Webhook former, Webhook now, CommandContext by) {
        Map<String, Object> before = deliveryCounts(former);
        Map<String, Object> after = deliveryCounts(now);
        recordChange(
                now.order(),
                Action.RETRIED,
                SubscriptionChangeRecorder.differingFields(before, after),
                SubscriptionChangeRecorder.differingFields(after, before),
                by);
    }

    private static Map<String, Object> deliveryCounts(Webhook webhook) {
        return Map.of("waiting", webhook.waiting(), "dead", webhook.dead());
    }

    private void recordChange(
            Order order,
            Action action,
            @Nullable Map<String, Object> before,
            @Nullable Map<String, Object> after,
            CommandContext by) {
        recorder.recordChange(
                new Done(Kind.WEBHOOK, order.id(), order.project(), action, before, after), by);
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
    private static Map<String, Object> mask(Map<String, Object> fields) {
        fields.computeIfPresent(URL, (_, url) -> mask(URI.create(url.toString())));
        return fields;
    }

    private static String mask(URI url) {
        String port = url.getPort() == -1 ? "" : ":" + url.getPort();
        return url.getScheme()
                + "://"
                + url.getHost()
                + port
                + "/"
                + SubscriptionChangeRecorder.HIDDEN;
    }
}
