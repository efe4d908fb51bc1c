package org.leasehold.readmodel.lease;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An event of a lease, with its time, user and reason.
 *
 * @param position its position in the event log
 * @param sequence its number among the lease's events, from 0
 * @param recordedAt the time at which the database stored it
 * @param type its name in the event catalog
 * @param user null for the engine's own events
 * @param causation the event that led to it; null for a request from outside
 * @param reason the caller's own words; null when there were none
 * @param details the event's own fields as JSON values
 */
public record HistoryEntry(
        long position,
        long sequence,
        Instant recordedAt,
        String type,
        @Nullable String user,
        @Nullable String project,
        List<String> roles,
        @Nullable String requestId,
        @Nullable String causation,
        @Nullable String reason,
        Map<String, @Nullable Object> details) {

    public HistoryEntry {
        roles = List.copyOf(roles);
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
