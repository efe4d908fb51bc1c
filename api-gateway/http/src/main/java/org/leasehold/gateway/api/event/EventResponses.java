package org.leasehold.gateway.api.event;

import org.leasehold.history.Epochs;
import org.leasehold.history.Epochs.Epoch;
import org.leasehold.readmodel.event.LastEventNumbers.LastNumber;
import org.leasehold.readmodel.event.LastEventNumbers.Standing;
import org.leasehold.wire.event.CloudEvent;

import java.time.Instant;
import java.util.List;

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
}
