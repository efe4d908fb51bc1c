package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.LastNumbers.LastNumber;
import org.leasehold.query.LastNumbers.Standing;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What is told of the feed of all events. */
final class EventAnswers {

    private EventAnswers() {}

    /**
     * A part of the feed.
     *
     * @param next the position up to which nothing is missing: what to ask for what follows
     */
    record EventPage(List<CloudEvent> events, long next) {}

    /**
     * How many events there are.
     *
     * @param position the events up to here count, and no others
     * @param projects those that have any
     */
    record EventNumbers(long position, List<ProjectNumber> projects) {

        static EventNumbers of(Standing standing) {
            return new EventNumbers(
                    standing.position(),
                    standing.projects().stream().map(ProjectNumber::of).toList());
        }
    }

    /**
     * How many events a project has.
     *
     * @param projectId {@code -} for what is of none
     * @param number the last of its numbers, which begin with 1 and have no gap
     */
    record ProjectNumber(String projectId, long number) {

        static ProjectNumber of(LastNumber last) {
            return new ProjectNumber(last.project(), last.number());
        }
    }

    /**
     * An event as CloudEvents 1.0 has it in JSON. Numbers that may outgrow 32 bits are text there.
     *
     * @param source which engine it comes from
     * @param subject the id of what it happened to
     * @param time when it happened
     * @param recordedtime when it was stored
     * @param project the project of its lease; {@code -} where it is of none
     * @param projectsequence its number among the events of this project, from 1, without a gap
     * @param position its place among all events
     * @param streamsequence its place among the events of its subject, from 0
     * @param dataversion the version of the form of its data
     * @param userid nothing for what the engine did by itself
     * @param causationid the event that led to it; nothing for what was asked from outside
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record CloudEvent(
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
}
