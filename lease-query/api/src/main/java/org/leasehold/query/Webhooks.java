package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Addresses that are told what happens. Where a project is asked for, null is for whoever may
 * change every project's; another project's webhook, and one for all projects, does not exist for
 * others. Whatever is done auditors are told, with who did it.
 */
public interface Webhooks {

    /**
     * Makes a webhook, which is told what happens from now on. One that is there already gets
     * another secret in place of all before.
     *
     * @param secret what its messages are signed with
     * @param most how many the project may have
     */
    SubscriptionOutcome make(Order order, String secret, int most, CommandContext by);

    /**
     * Webhooks by their ids.
     *
     * @param marker the {@code next} of the page before; null for the first page
     * @throws UnknownMarker if the marker is none
     */
    Page<Webhook> list(@Nullable ProjectId project, @Nullable String marker, int limit);

    Optional<Webhook> find(UUID id, @Nullable ProjectId project);

    /** Changes a webhook. Returns whether there is one. */
    boolean change(UUID id, @Nullable ProjectId project, Change change, CommandContext by);

    /** Ends a webhook, with all that it was yet to be told. Returns whether there was one. */
    boolean remove(UUID id, @Nullable ProjectId project, CommandContext by);

    /**
     * Signs messages with another secret from now on, and for a while with those before, too.
     *
     * @return whether there is such a webhook
     */
    boolean replaceSecret(
            UUID id,
            @Nullable ProjectId project,
            String secret,
            Duration formerFor,
            CommandContext by);

    /**
     * What was given up after its last try, in order.
     *
     * @param marker the {@code next} of the page before; null for the first page
     * @return empty if there is no such webhook
     * @throws UnknownMarker if the marker is none
     */
    Optional<Page<DeadLetter>> deadLetters(
            UUID id, @Nullable ProjectId project, @Nullable String marker, int limit);

    /** Tries once more what was given up. Returns whether there is such a dead letter. */
    boolean revive(UUID id, @Nullable ProjectId project, long position, CommandContext by);

    /**
     * Tries all at once that was given up, or waits for its next try.
     *
     * @return whether there is such a webhook
     */
    boolean reviveAll(UUID id, @Nullable ProjectId project, CommandContext by);

    /**
     * A webhook as it is asked for.
     *
     * @param project whose it is
     * @param everything whether it is told of all projects, and of resources
     * @param user who makes it
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

        /** Without the address: there may be a secret in it. */
        @Override
        public String toString() {
            return "webhook " + id;
        }
    }

    /**
     * A webhook, and how it is doing.
     *
     * @param disabledBecause why the engine switched it off; null if it did not
     * @param position everything up to there was told, or is among what waits or was given up
     * @param waiting how many events wait for another try, or behind one that does
     * @param dead how many were given up
     */
    record Webhook(
            Order order,
            @Nullable String disabledBecause,
            long position,
            long waiting,
            long dead) {}

    /**
     * What is to be changed; null for what stays.
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

        /** Without the address: there may be a secret in it. */
        @Override
        public String toString() {
            return "a change of a webhook";
        }
    }

    /**
     * An event that was given up.
     *
     * @param event its id
     * @param type its name in the event catalog
     * @param attempts how often it was sent, or tried to be
     * @param status what the receiver answered the last time; null if it did not
     * @param failure what went wrong the last time, in words
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
