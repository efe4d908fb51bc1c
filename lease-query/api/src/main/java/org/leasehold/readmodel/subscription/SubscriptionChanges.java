package org.leasehold.readmodel.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The changes of webhooks and calendar feeds, which export a project's data, for auditors. */
public interface SubscriptionChanges {

    /**
     * Returns changes, newest first.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<SubscriptionChange> list(ListChanges question);

    /**
     * A query for changes.
     *
     * @param user only those by the user with this id; null for all
     * @param project only those of this project's subscriptions; null for all
     * @param subscription only those of this one; null for all
     * @param marker the end of the page before; null for the first
     * @param limit the largest number of changes
     */
    record ListChanges(
            @Nullable String user,
            @Nullable String project,
            @Nullable UUID subscription,
            @Nullable String marker,
            int limit) {}

    /** The kind of a subscription. */
    enum Kind {
        WEBHOOK,
        CALENDAR_FEED
    }

    /** The kind of a change. */
    enum Action {
        MADE,
        CHANGED,
        SECRET_REPLACED,
        /** A repeated delivery of events that a receiver had not accepted. */
        RETRIED,
        /** Disabled by the engine because the receiver wants no more events. */
        SWITCHED_OFF,
        REMOVED
    }

    /**
     * A change of a subscription. Fields with a secret are shortened, so they may look equal before
     * and after. Their presence means that they were changed.
     *
     * @param project the subscription's project
     * @param before the changed fields with their old values, without absent ones; null if there
     *     was no such subscription
     * @param after the changed fields with their new values; null if it was removed
     */
    record Done(
            Kind kind,
            UUID subscription,
            ProjectId project,
            Action action,
            @Nullable Map<String, Object> before,
            @Nullable Map<String, Object> after) {

        public Done {
            before = before == null ? null : sorted(before);
            after = after == null ? null : sorted(after);
        }

        private static Map<String, Object> sorted(Map<String, Object> fields) {
            return Collections.unmodifiableMap(new TreeMap<>(fields));
        }
    }

    /**
     * A change, and its author.
     *
     * @param user null for the engine
     * @param actingFor the project that the user acted for; null for the engine
     * @param roles the user's roles
     * @param authentication the user's method of authentication; {@code engine} for the engine
     * @param requestId null for the engine
     * @param origin the origin of the request; null if it is no longer stored
     * @param reason the user's own words; null when there were none
     */
    record SubscriptionChange(
            Instant at,
            Done done,
            @Nullable UserId user,
            @Nullable ProjectId actingFor,
            List<String> roles,
            String authentication,
            @Nullable String requestId,
            @Nullable RequestOrigin origin,
            @Nullable String reason) {

        public SubscriptionChange {
            roles = List.copyOf(roles);
        }
    }
}
