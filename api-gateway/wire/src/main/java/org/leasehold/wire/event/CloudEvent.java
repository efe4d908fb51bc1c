package org.leasehold.wire.event;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * An event in the JSON of CloudEvents 1.0. Numbers that may outgrow 32 bits are text there.
 *
 * @param source the engine that it comes from
 * @param subject the id of the lease or resource
 * @param time the time at which it happened
 * @param recordedtime the time at which it was stored
 * @param project the project of its lease; {@code -} if it has none
 * @param projectsequence its number among the events of this project, from 1, without a gap
 * @param position its position in the event log
 * @param streamsequence its position among the events of its subject, from 0
 * @param dataversion the version of the form of its data
 * @param userid null for events that the engine itself began
 * @param causationid the event that caused it; null for a request from outside
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CloudEvent(
        String specversion,
        UUID id,
        String source,
        String type,
        String subject,
        Instant time,
        Instant recordedtime,
        String datacontenttype,
        String project,
        String projectsequence,
        String position,
        String streamsequence,
        String dataversion,
        @Nullable String userid,
        @Nullable String requestid,
        @Nullable String causationid,
        Map<String, @Nullable Object> data) {

    static CloudEvent of(
            Entry entry, String source, String subject, Map<String, @Nullable Object> data) {
        return new CloudEvent(
                "1.0",
                entry.id(),
                source,
                "org.leasehold." + entry.type(),
                subject,
                entry.decidedAt(),
                entry.recordedAt(),
                "application/json",
                entry.project(),
                Long.toString(entry.number()),
                Long.toString(entry.position()),
                Long.toString(entry.sequence()),
                Integer.toString(entry.version()),
                entry.user(),
                entry.requestId(),
                entry.causation(),
                data);
    }
}
