package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.StoredName;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All commands to a lease. */
public sealed interface LeaseCommand {

    LeaseId leaseId();

    /**
     * Returns whether the command is sent after all others that are due. There may be thousands of
     * such commands at once, and nothing is promised for their time.
     */
    default boolean hasLowestPriority() {
        return switch (this) {
            case RetryCreation _, RetryEarly _, ReplaceResource _, ReplaceFailedResource _ -> true;
            case LeaseCommand _ -> false;
        };
    }

    /**
     * A request for resources during a window.
     *
     * @param start may lie up to a minute in the past: clients say <em>now</em> as the current
     *     minute
     * @param beforeEnd the time of the end's announcement; null for no announcement
     * @param retry the retries if the calendar cannot hold it; null for a refusal at once
     * @param onFailure the policy for a failed start; null for {@link StartFailurePolicy#KEEP}
     */
    @StoredName("CreateLease")
    record CreateLease(
            LeaseId leaseId,
            ProjectId projectId,
            UserId userId,
            String name,
            Instant start,
            Instant end,
            @Nullable Instant beforeEnd,
            List<ReservationWish> reservations,
            @Nullable Retry retry,
            @Nullable StartFailurePolicy onFailure)
            implements LeaseCommand {

        public CreateLease {
            reservations = List.copyOf(reservations);
        }

        /** Returns the same request without retries. */
        public CreateLease withoutRetry() {
            return new CreateLease(
                    leaseId,
                    projectId,
                    userId,
                    name,
                    start,
                    end,
                    beforeEnd,
                    reservations,
                    null,
                    onFailure);
        }

        /**
         * The requested retries.
         *
         * @param attempts how many attempts follow the refusal; null for the default
         * @param interval the time between two attempts; null for the default
         */
        public record Retry(@Nullable Integer attempts, @Nullable Duration interval) {}
    }

    /**
     * Another attempt to create a lease that the calendar could not hold. Before the planned time,
     * it does nothing.
     */
    @StoredName("RetryCreation")
    record RetryCreation(LeaseId leaseId) implements LeaseCommand {}

    /**
     * An attempt to create a lease before the planned time, because capacity was freed. It does not
     * count as a planned one. If no early attempt is possible now, it does nothing.
     */
    @StoredName("RetryEarly")
    record RetryEarly(LeaseId leaseId) implements LeaseCommand {}

    /**
     * A change: rename, prolong, reduce, advance, defer, grow, shrink, add or remove reservations;
     * all or none.
     *
     * @param name null for no change
     * @param start null for no change
     * @param end null for no change
     * @param beforeEnd null for the same distance to the end
     * @param further new reservations beside the existing ones; one whose id the lease already has
     *     is an earlier request
     * @param removed the reservations to remove
     */
    @StoredName("ChangeLease")
    record ChangeLease(
            LeaseId leaseId,
            @Nullable String name,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable Instant beforeEnd,
            List<ReservationChange> reservations,
            List<ReservationWish> further,
            List<ReservationId> removed)
            implements LeaseCommand {

        public ChangeLease {
            reservations = List.copyOf(reservations);
            further = List.copyOf(further);
            removed = List.copyOf(removed);
        }

        /** Creates a change that removes no reservations. */
        public ChangeLease(
                LeaseId leaseId,
                @Nullable String name,
                @Nullable Instant start,
                @Nullable Instant end,
                @Nullable Instant beforeEnd,
                List<ReservationChange> reservations,
                List<ReservationWish> further) {
            this(leaseId, name, start, end, beforeEnd, reservations, further, List.of());
        }

        /** Creates a change that adds and removes no reservations. */
        public ChangeLease(
                LeaseId leaseId,
                @Nullable String name,
                @Nullable Instant start,
                @Nullable Instant end,
                @Nullable Instant beforeEnd,
                List<ReservationChange> reservations) {
            this(leaseId, name, start, end, beforeEnd, reservations, List.of());
        }
    }

    /**
     * The import of a lease from another reservation service in its state there, with the same
     * resources. Plug-ins do not start it: it has its resources in the cloud already.
     *
     * @param beforeEnd the time of the end's announcement; null for no announcement
     * @param past the past, with an entry for each of {@code reservations}
     */
    @StoredName("ImportLease")
    record ImportLease(
            LeaseId leaseId,
            ProjectId projectId,
            UserId userId,
            String name,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            List<Imported> reservations,
            LeasePast past)
            implements LeaseCommand {

        public ImportLease {
            reservations = List.copyOf(reservations);
        }

        /**
         * A reservation with its granted resources.
         *
         * @param slots the number of slots on each resource; 1 for a whole resource
         */
        public record Imported(ReservationWish wish, Map<ResourceId, Integer> slots) {

            public Imported {
                slots = Collections.unmodifiableMap(new TreeMap<>(slots));
            }
        }
    }

    /** The start of a lease: its window begins, or an awaited resource has been released. */
    @StoredName("StartLease")
    record StartLease(LeaseId leaseId) implements LeaseCommand {}

    /** The announcement of a lease's end. */
    @StoredName("AnnounceEnd")
    record AnnounceEnd(LeaseId leaseId) implements LeaseCommand {}

    /** The end of a lease: its window is over, or a user requests the end. */
    @StoredName("EndLease")
    record EndLease(LeaseId leaseId, EndCause cause) implements LeaseCommand {}

    /** The deletion of a lease, which ends it in any state. */
    @StoredName("DeleteLease")
    record DeleteLease(LeaseId leaseId) implements LeaseCommand {}

    /**
     * The confirmation of a plug-in that it has started a reservation.
     *
     * @param cloudIds the cloud's ids of what it created for the reservation: JSON values
     */
    @StoredName("ConfirmStart")
    record ConfirmStart(LeaseId leaseId, Tenure tenure, Map<String, Object> cloudIds)
            implements LeaseCommand {

        public ConfirmStart {
            cloudIds = Collections.unmodifiableMap(new TreeMap<>(cloudIds));
        }

        /** Creates the confirmation without ids. */
        public ConfirmStart(LeaseId leaseId, Tenure tenure) {
            this(leaseId, tenure, Map.of());
        }
    }

    /**
     * The confirmation of a plug-in that it has added and removed a reservation's resources.
     *
     * @param cloudIds the cloud's ids of all that it has created for it so far: JSON values; empty
     *     if they did not change
     */
    @StoredName("ConfirmAdjustment")
    record ConfirmAdjustment(LeaseId leaseId, Tenure tenure, Map<String, Object> cloudIds)
            implements LeaseCommand {

        public ConfirmAdjustment {
            cloudIds = Collections.unmodifiableMap(new TreeMap<>(cloudIds));
        }

        /** Creates the confirmation without changed ids. */
        public ConfirmAdjustment(LeaseId leaseId, Tenure tenure) {
            this(leaseId, tenure, Map.of());
        }
    }

    /** The confirmation of a plug-in that it has taken back the resources of a reservation. */
    @StoredName("ConfirmRelease")
    record ConfirmRelease(LeaseId leaseId, Tenure tenure) implements LeaseCommand {}

    /** The report of a plug-in that an action failed. */
    @StoredName("ReportFault")
    record ReportFault(LeaseId leaseId, Tenure tenure, Action action, Fault fault)
            implements LeaseCommand {}

    /**
     * A replacement of resources that are out of service, for a lease that has not started. For
     * another lease, or if no other resources are free, it does nothing.
     *
     * @param resourceId the resource that went out of service
     */
    @StoredName("ReplaceResource")
    record ReplaceResource(LeaseId leaseId, ResourceId resourceId) implements LeaseCommand {}

    /**
     * The replacement of a failed resource of a running reservation, by one that is free until the
     * end of the lease. If there is none, it does nothing.
     *
     * @param resourceId the resource whose outage lasts too long
     */
    @StoredName("ReplaceFailedResource")
    record ReplaceFailedResource(
            LeaseId leaseId, ReservationId reservationId, ResourceId resourceId)
            implements LeaseCommand {}

    /**
     * The cloud's report that a resource is down, or up again.
     *
     * @param reservationId the reservation that lacks the resource; null for all that have it
     * @param reason the reason of the outage; null if it is over
     */
    @StoredName("NoteOutage")
    record RecordOutage(
            LeaseId leaseId,
            ResourceId resourceId,
            @Nullable ReservationId reservationId,
            @Nullable String reason)
            implements LeaseCommand {}

    /** The request of an operator to retry the failed action of a lease. */
    @StoredName("RetryLease")
    record RetryLease(LeaseId leaseId) implements LeaseCommand {}

    /** The declaration of an operator that a lease is over, without a clean cloud. */
    @StoredName("ForceEnd")
    record ForceEnd(LeaseId leaseId) implements LeaseCommand {}
}
