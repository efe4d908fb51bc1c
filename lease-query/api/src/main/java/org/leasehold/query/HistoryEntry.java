package org.leasehold.query;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One event of a lease: when, who, what and why.
 *
 * @param position its place among all events
 * @param sequence its place among the lease's events, from 0
 * @param recordedAt when the database stored it
 * @param type its name in the event catalog
 * @param user null for what the engine did by itself
 * @param causation the event that led to it; null for what was asked from outside
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
