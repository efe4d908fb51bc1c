package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What was done to webhooks and calendars' feeds, by which a project's data leaves: for auditors.
 */
public interface SubscriptionChanges {

    /**
     * Changes, newest first.
     *
     * @throws UnknownMarker if the marker is not where a page ended
     */
    Page<SubscriptionChange> list(ListChanges question);

    /**
     * Which changes.
     *
     * @param user only what the user with this id did; null for all
     * @param project only those of this project's subscriptions; null for all
     * @param subscription only those of this one; null for all
     * @param marker where the page before ended; null for the first
     * @param limit how many at most
     */
    record ListChanges(
            @Nullable String user,
            @Nullable String project,
            @Nullable UUID subscription,
            @Nullable String marker,
            int limit) {}

    /** What data leaves by. */
    enum Kind {
        WEBHOOK,
        CALENDAR_FEED
    }

    /** What was done. */
    enum Action {
        MADE,
        CHANGED,
        SECRET_REPLACED,
        /** What a receiver had not taken is sent once more. */
        RETRIED,
        /** By the engine, as the receiver wants no more. */
        SWITCHED_OFF,
        REMOVED
    }

    /**
     * What was done to a subscription. What has a secret in it is told only in part, so that it may
     * look the same before and after: that it is told says that it was changed.
     *
     * @param project whose the subscription is
     * @param before the fields that were changed, as they were; what was not there is left out;
     *     null if there was no such subscription
     * @param after the same, as they were from then on; null if it was no more
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
     * A change, and who made it.
     *
     * @param user null for the engine
     * @param actingFor the project that the user acted for; null for the engine
     * @param roles those that the user had
     * @param authentication how they proved who they are; {@code engine} for the engine
     * @param requestId null for the engine
     * @param origin where the request came from; null if that is not kept any more
     * @param reason their own words; null when there were none
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
