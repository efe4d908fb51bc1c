package org.leasehold.gateway.api.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.FakeIdempotencyKeys;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.leasehold.readmodel.subscription.WebhookRules;
import org.leasehold.readmodel.subscription.Webhooks;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Stores webhooks and their secrets; rejects one host. */
public final class FakeWebhooks implements Webhooks, WebhookRules {

    /** The rejected host. */
    static final String FORBIDDEN = "internal.example.org";

    static final int MAX_WEBHOOKS = 1000;

    final Map<UUID, Webhook> byId = new TreeMap<>();
    final Map<UUID, List<String>> secrets = new TreeMap<>();
    final List<DeadLetter> dead = new ArrayList<>();

    /** The contexts of commands. */
    final List<CommandContext> by = new ArrayList<>();

    private final FakeIdempotencyKeys keys = new FakeIdempotencyKeys();

    int maxWebhooks = MAX_WEBHOOKS;

    synchronized void reset() {
        byId.clear();
        secrets.clear();
        dead.clear();
        by.clear();
        keys.forget();
        maxWebhooks = MAX_WEBHOOKS;
    }

    @Override
    public Optional<String> findObjection(String url) {
        if (!url.startsWith("https://")) {
            return Optional.of("must begin with https://");
        }
        return url.contains(FORBIDDEN)
                ? Optional.of("must have a host with known addresses, all of them permitted")
                : Optional.empty();
    }

    @Override
    public int maxPerProject() {
        return maxWebhooks;
    }

    @Override
    public Duration formerSecretValidity() {
        return Duration.ofHours(24);
    }

    @Override
    public synchronized SubscriptionOutcome create(
            Order order, String secret, int max, CommandContext context) {
        by.add(context);
        if (keys.isReused(context)) {
            return SubscriptionOutcome.KEY_REUSED;
        }
        long others =
                byId.values().stream()
                        .filter(other -> other.order().project().equals(order.project()))
                        .filter(other -> !other.order().id().equals(order.id()))
                        .count();
        if (others >= max) {
            return SubscriptionOutcome.TOO_MANY;
        }
        byId.putIfAbsent(order.id(), new Webhook(order, null, 7, 0, 0));
        secrets.put(order.id(), new ArrayList<>(List.of(secret)));
        return SubscriptionOutcome.MADE;
    }

    @Override
    public synchronized Page<Webhook> list(
            @Nullable ProjectId project, @Nullable String marker, int limit) {
        UUID after = marker == null ? null : Page.parseMarker(marker, UUID::fromString);
        List<Webhook> found =
                byId.values().stream()
                        .filter(webhook -> isVisible(webhook, project))
                        .filter(
                                webhook ->
                                        after == null || webhook.order().id().compareTo(after) > 0)
                        .limit(limit + 1L)
                        .toList();
        return Page.of(found, limit, webhook -> webhook.order().id().toString());
    }

    private static boolean isVisible(Webhook webhook, @Nullable ProjectId project) {
        return project == null
                || (!webhook.order().everything() && webhook.order().project().equals(project));
    }

    @Override
    public synchronized Optional<Webhook> find(UUID id, @Nullable ProjectId project) {
        return Optional.ofNullable(byId.get(id)).filter(webhook -> isVisible(webhook, project));
    }

    @Override
    public synchronized boolean change(
            UUID id, @Nullable ProjectId project, Change change, CommandContext context) {
        by.add(context);
        Optional<Webhook> found = find(id, project);
        found.ifPresent(
                webhook -> {
                    Order order = webhook.order();
                    Set<String> types = change.types();
                    String description = change.description();
                    byId.put(
                            id,
                            new Webhook(
                                    new Order(
                                            id,
                                            order.project(),
                                            order.everything(),
                                            order.user(),
                                            change.url() == null ? order.url() : change.url(),
                                            types == null ? order.types() : types,
                                            description == null
                                                    ? order.description()
                                                    : description.isEmpty() ? null : description,
                                            change.enabled() == null
                                                    ? order.enabled()
                                                    : change.enabled(),
                                            order.createdAt()),
                                    null,
                                    webhook.position(),
                                    0,
                                    dead.size()));
                });
        return found.isPresent();
    }

    @Override
    public synchronized boolean remove(
            UUID id, @Nullable ProjectId project, CommandContext context) {
        by.add(context);
        return find(id, project).isPresent() && byId.remove(id) != null;
    }

    @Override
    public synchronized boolean replaceSecret(
            UUID id,
            @Nullable ProjectId project,
            String secret,
            Duration formerFor,
            CommandContext context) {
        by.add(context);
        return find(id, project).isPresent() && secrets.get(id).add(secret);
    }

    @Override
    public synchronized Optional<Page<DeadLetter>> deadLetters(
            UUID id, @Nullable ProjectId project, @Nullable String marker, int limit) {
        long after = marker == null ? 0 : Page.parseMarker(marker, Long::valueOf);
        return find(id, project)
                .map(
                        _ ->
                                Page.of(
                                        dead.stream()
                                                .filter(letter -> letter.position() > after)
                                                .limit(limit + 1L)
                                                .toList(),
                                        limit,
                                        letter -> Long.toString(letter.position())));
    }

    @Override
    public synchronized boolean retryDeadLetter(
            UUID id, @Nullable ProjectId project, long position, CommandContext context) {
        by.add(context);
        return find(id, project).isPresent()
                && dead.removeIf(letter -> letter.position() == position);
    }

    @Override
    public synchronized boolean retryAll(
            UUID id, @Nullable ProjectId project, CommandContext context) {
        by.add(context);
        if (find(id, project).isEmpty()) {
            return false;
        }
        dead.clear();
        return true;
    }
}
