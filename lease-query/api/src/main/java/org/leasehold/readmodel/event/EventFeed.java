package org.leasehold.readmodel.event;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The event log in order, for consumers that continue at their offset. A consumer that requests the
 * events after its last batch misses none and gets none twice.
 */
public interface EventFeed {

    /** The name of the read model behind it, for {@link ProjectionOffsets}. */
    String READ_MODEL = "entries";

    /** Returns the next events, if there are any yet. */
    Batch next(Question question);

    /**
     * A query for events.
     *
     * @param after the offset up to which the caller has all events; 0 for none
     * @param audience the events that the caller may see
     * @param types names in the event catalog; none for all
     * @param limit 1 to 1000
     */
    record Question(long after, Audience audience, Set<String> types, int limit) {

        public Question {
            types = Set.copyOf(types);
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("1 to 1000 events at once: " + limit);
            }
        }

        /** Returns the same query from another position. */
        public Question from(long position) {
            return new Question(position, audience, types, limit);
        }
    }

    /**
     * The events that a caller may see.
     *
     * @param projects the projects whose leases are visible; null for every project's
     * @param inventory whether resources are visible
     */
    record Audience(@Nullable Set<ProjectId> projects, boolean inventory) {

        public Audience {
            projects = projects == null ? null : Set.copyOf(projects);
        }
    }

    /**
     * A batch of events.
     *
     * @param entries in order; may be fewer than the limit, or none, although more follow: the
     *     search for rare events continues with the next query
     * @param through the position up to which all requested events are included
     */
    record Batch(List<Entry> entries, long through) {

        public Batch {
            entries = List.copyOf(entries);
        }
    }

    /**
     * An event.
     *
     * @param position its position in the event log
     * @param project the project of its lease; {@code -} if it has no lease
     * @param number its number among the events of this project, from 1, without a gap
     * @param stream the id of its lease or resource
     * @param sequence its number in its stream, from 0
     * @param type its name in the event catalog
     * @param version the version of its data format
     * @param user null for the engine's own events
     * @param causation the event that led to it; null for a request from outside
     * @param decidedAt the time of the decision
     * @param recordedAt the time at which the database stored it
     * @param data its own fields as JSON
     */
    record Entry(
            long position,
            UUID id,
            String project,
            long number,
            String streamType,
            String stream,
            long sequence,
            String type,
            int version,
            @Nullable String user,
            @Nullable String requestId,
            @Nullable String causation,
            Instant decidedAt,
            Instant recordedAt,
            String data) {

        private static final String LEASE = "Lease";

        /**
         * Returns whether its stream is a lease, whose id is then the stream's. A project also has
         * events of the observed use of its resources.
         */
        public boolean isOfLease() {
            return streamType.equals(LEASE);
        }
    }
}
