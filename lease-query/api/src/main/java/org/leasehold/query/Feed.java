package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Everything that happened, in the order in which it did, for those who go on from where they were.
 * Whoever asks for what follows the last answer misses nothing and is told nothing twice.
 */
public interface Feed {

    /** The read model that it stands on, for {@link Projections}. */
    String STANDS_ON = "entries";

    /** The next events, if there are any yet. */
    Batch next(Question question);

    /**
     * What to tell.
     *
     * @param after the position up to which everything is known; 0 for nothing
     * @param audience what may be told
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

        /** The same, from another place on. */
        public Question from(long position) {
            return new Question(position, audience, types, limit);
        }
    }

    /**
     * Who is told, as far as it matters.
     *
     * @param projects whose leases they are told of; null for every project's
     * @param inventory whether they are told of resources
     */
    record Audience(@Nullable Set<ProjectId> projects, boolean inventory) {

        public Audience {
            projects = projects == null ? null : Set.copyOf(projects);
        }
    }

    /**
     * Some events.
     *
     * @param entries in order; fewer than were asked for, or none, although more follow: looking
     *     for what hardly ever happens goes on with the next question
     * @param through the position up to which everything that was asked for is among them
     */
    record Batch(List<Entry> entries, long through) {

        public Batch {
            entries = List.copyOf(entries);
        }
    }

    /**
     * An event.
     *
     * @param position its place among all events
     * @param project the project of its lease; {@code -} where it is of none
     * @param number its place among the events of this project, from 1, without a gap
     * @param stream the id of what it happened to
     * @param sequence its place among the events of its stream, from 0
     * @param type its name in the event catalog
     * @param version of the form of its data
     * @param user null for what the engine did by itself
     * @param causation the event that led to it; null for what was asked from outside
     * @param decidedAt when it happened
     * @param recordedAt when the database stored it
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
         * Whether it happened to a lease, whose id is then that of the stream: a project's events
         * are also of what was seen to run on its resources.
         */
        public boolean isOfLease() {
            return streamType.equals(LEASE);
        }
    }
}
