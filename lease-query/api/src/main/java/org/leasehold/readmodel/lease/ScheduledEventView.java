package org.leasehold.readmodel.lease;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/**
 * A timed step of a lease's life, in Blazar's sense of <em>event</em>.
 *
 * @param id the same for the life of the lease
 * @param updatedAt the time of the last change of its time or status; null before the first change
 */
public record ScheduledEventView(
        UUID id,
        Type type,
        Instant time,
        Status status,
        Instant createdAt,
        @Nullable Instant updatedAt) {

    /** The type of the step. */
    public enum Type {
        START_LEASE,
        BEFORE_END_LEASE,
        END_LEASE
    }

    /** The progress of the step. */
    public enum Status {
        UNDONE,
        IN_PROGRESS,
        DONE,
        ERROR
    }
}
