package org.leasehold.readmodel.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Webhooks, which deliver events to addresses. A null project means a caller who may change every
 * project's. Other projects' webhooks, and those for all projects, do not exist for other callers.
 * Every change is recorded with its author for auditors.
 */
public interface Webhooks {

    /**
     * Creates a webhook, which receives events from now on. One that exists already gets another
     * secret, which replaces all before.
     *
     * @param secret the secret that signs its messages
     * @param max the largest number of webhooks of the project
     */
    SubscriptionOutcome create(Order order, String secret, int max, CommandContext by);

    /**
     * Returns webhooks by their ids.
     *
     * @param marker the {@code next} of the page before; null for the first page
     * @throws UnknownMarker if the marker is invalid
     */
    Page<Webhook> list(@Nullable ProjectId project, @Nullable String marker, int limit);

    Optional<Webhook> find(UUID id, @Nullable ProjectId project);

    /** Changes a webhook. Returns whether it exists. */
    boolean change(UUID id, @Nullable ProjectId project, Change change, CommandContext by);

    /** Deletes a webhook with all its pending deliveries. Returns whether it existed. */
    boolean remove(UUID id, @Nullable ProjectId project, CommandContext by);

    /**
     * Signs messages with another secret from now on, and for a while with the former ones, too.
     *
     * @return whether the webhook exists
     */
    boolean replaceSecret(
            UUID id,
            @Nullable ProjectId project,
            String secret,
            Duration formerFor,
            CommandContext by);

    /**
     * Returns the dead letters of a webhook, in order.
     *
     * @param marker the {@code next} of the page before; null for the first page
     * @return empty if there is no such webhook
     * @throws UnknownMarker if the marker is invalid
     */
    Optional<Page<DeadLetter>> deadLetters(
            UUID id, @Nullable ProjectId project, @Nullable String marker, int limit);

    /** Retries a dead letter. Returns whether it exists. */
    boolean retryDeadLetter(UUID id, @Nullable ProjectId project, long position, CommandContext by);

    /**
     * Retries all dead letters and all waiting deliveries at once.
     *
     * @return whether the webhook exists
     */
    boolean retryAll(UUID id, @Nullable ProjectId project, CommandContext by);

    /**
     * A request for a webhook.
     *
     * @param project its owner
     * @param everything whether it receives the events of all projects, and of resources
     * @param user the user who creates it
     * @param types names in the event catalog; none for all
     */
    record Order(
            UUID id,
            ProjectId project,
            boolean everything,
            UserId user,
            String url,
            Set<String> types,
            @Nullable String description,
            boolean enabled,
            Instant createdAt) {

        public Order {
            types = Set.copyOf(types);
        }

        /** Omits the address, which may contain a secret. */
        @Override
        public String toString() {
            return "webhook " + id;
        }
    }

    /**
     * A webhook with its state.
     *
     * @param disabledBecause the reason why the engine disabled it; null if it did not
     * @param position events up to there are delivered, waiting or dead letters
     * @param waiting the number of events that wait for a retry, or behind such an event
     * @param dead the number of dead letters
     */
    record Webhook(
            Order order,
            @Nullable String disabledBecause,
            long position,
            long waiting,
            long dead) {}

    /**
     * A change of a webhook; null for unchanged fields.
     *
     * @param description empty for none
     */
    record Change(
            @Nullable String url,
            @Nullable Set<String> types,
            @Nullable String description,
            @Nullable Boolean enabled) {

        public Change {
            types = types == null ? null : Set.copyOf(types);
        }

        /** Omits the address, which may contain a secret. */
        @Override
        public String toString() {
            return "a change of a webhook";
        }
    }

    /**
     * A dead letter.
     *
     * @param event its id
     * @param type its name in the event catalog
     * @param attempts the number of attempts to deliver it
     * @param status the receiver's last status; null if it sent none
     * @param failure the last failure, in words
     */
    record DeadLetter(
            long position,
            UUID event,
            String type,
            int attempts,
            @Nullable Integer status,
            @Nullable String failure,
            Instant firstAt,
            Instant lastAt) {}
}
