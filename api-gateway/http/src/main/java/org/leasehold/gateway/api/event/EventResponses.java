package org.leasehold.gateway.api.event;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.Epochs;
import org.leasehold.history.Epochs.Epoch;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.LastEventNumbers.LastNumber;
import org.leasehold.readmodel.event.LastEventNumbers.Standing;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Responses about the feed of all events. */
public final class EventResponses {

    private EventResponses() {}

    /**
     * A page of the feed.
     *
     * @param next the position up to which the page is complete; the next query starts after it
     */
    record EventPage(List<CloudEvent> events, long next) {}

    /**
     * The numbers of events.
     *
     * @param position the counts include the events up to here, and no others
     * @param projects those that have any
     * @param epochs in order; one, unless the database has lost events
     */
    record EventNumbers(long position, List<ProjectNumber> projects, List<EventEpoch> epochs) {

        static EventNumbers of(Standing standing, Epochs epochs) {
            return new EventNumbers(
                    standing.position(),
                    standing.projects().stream().map(ProjectNumber::of).toList(),
                    epochs.all().stream().map(EventEpoch::of).toList());
        }
    }

    /**
     * An epoch of the event log.
     *
     * @param number from 1, ascending, with gaps
     * @param after the position of the last event before it
     * @param lostThrough events with positions above {@code after} and up to this one are lost
     */
    record EventEpoch(long number, long after, long lostThrough, Instant beganAt) {

        static EventEpoch of(Epoch epoch) {
            return new EventEpoch(
                    epoch.number(), epoch.after(), epoch.lostThrough(), epoch.beganAt());
        }
    }

    /**
     * The number of events of a project.
     *
     * @param projectId {@code -} for events of no project
     * @param number the last of its numbers, which begin with 1 and have no gap
     */
    record ProjectNumber(String projectId, long number) {

        static ProjectNumber of(LastNumber last) {
            return new ProjectNumber(last.project(), last.number());
        }
    }

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
