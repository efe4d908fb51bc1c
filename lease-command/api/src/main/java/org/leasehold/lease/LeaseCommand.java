package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that can be asked of a lease. */
public sealed interface LeaseCommand {

    LeaseId leaseId();

    /**
     * Ask for resources during a window.
     *
     * @param start may lie up to a minute in the past: clients say <em>now</em> as the current
     *     minute
     * @param beforeEnd when to announce the end; null for no announcement
     */
    record CreateLease(
            LeaseId leaseId,
            ProjectId projectId,
            UserId userId,
            String name,
            Instant start,
            Instant end,
            @Nullable Instant beforeEnd,
            List<ReservationWish> reservations)
            implements LeaseCommand {

        public CreateLease {
            reservations = List.copyOf(reservations);
        }
    }

    /**
     * Rename, prolong, reduce, advance, defer, grow, shrink and add reservations: all of it or
     * nothing.
     *
     * @param name null to keep it
     * @param start null to keep it
     * @param end null to keep it
     * @param beforeEnd null to keep its distance to the end
     * @param further reservations that the lease is to have beside its own; what it has already, by
     *     its id, was asked for before
     */
    record ChangeLease(
            LeaseId leaseId,
            @Nullable String name,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable Instant beforeEnd,
            List<ReservationChange> reservations,
            List<ReservationWish> further)
            implements LeaseCommand {

        public ChangeLease {
            reservations = List.copyOf(reservations);
            further = List.copyOf(further);
        }

        /** The lease is to have the reservations that it has. */
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
     * Take a lease over from another reservation service as it is there, with the very resources
     * that it has there. The plugins are not asked to start it: what it has in the cloud, it has.
     *
     * @param beforeEnd when the end is announced; null for no announcement
     * @param past a reservation of it for each of {@code reservations}
     */
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
         * A reservation with what it was granted.
         *
         * @param slots how many slots it has of which resource; 1 of one that it has as a whole
         */
        public record Imported(ReservationWish wish, Map<ResourceId, Integer> slots) {

            public Imported {
                slots = Collections.unmodifiableMap(new TreeMap<>(slots));
            }
        }
    }

    /** The window begins, or what the lease waited for has been released. */
    record StartLease(LeaseId leaseId) implements LeaseCommand {}

    /** The end is near. */
    record AnnounceEnd(LeaseId leaseId) implements LeaseCommand {}

    /** The window is over, or somebody wants it to be. */
    record EndLease(LeaseId leaseId, EndCause cause) implements LeaseCommand {}

    /** End the lease whatever its state is, and forget it. */
    record DeleteLease(LeaseId leaseId) implements LeaseCommand {}

    /**
     * A plugin has started a reservation.
     *
     * @param cloudIds what the cloud calls what it made for it: JSON values
     */
    record ConfirmStart(LeaseId leaseId, Tenure tenure, Map<String, Object> cloudIds)
            implements LeaseCommand {

        public ConfirmStart {
            cloudIds = Collections.unmodifiableMap(new TreeMap<>(cloudIds));
        }

        /** Of what it made it tells nothing. */
        public ConfirmStart(LeaseId leaseId, Tenure tenure) {
            this(leaseId, tenure, Map.of());
        }
    }

    /**
     * A plugin has added and taken away resources of a running reservation.
     *
     * @param cloudIds what the cloud calls all that it has made for it by now: JSON values; empty
     *     if that is as it was
     */
    record ConfirmAdjustment(LeaseId leaseId, Tenure tenure, Map<String, Object> cloudIds)
            implements LeaseCommand {

        public ConfirmAdjustment {
            cloudIds = Collections.unmodifiableMap(new TreeMap<>(cloudIds));
        }

        /** All that it made is called as it was. */
        public ConfirmAdjustment(LeaseId leaseId, Tenure tenure) {
            this(leaseId, tenure, Map.of());
        }
    }

    /** A plugin has taken back what a reservation had. */
    record ConfirmRelease(LeaseId leaseId, Tenure tenure) implements LeaseCommand {}

    /** A plugin could not do what it was asked. */
    record ReportFault(LeaseId leaseId, Tenure tenure, Action action, Fault fault)
            implements LeaseCommand {}

    /**
     * The cloud says that a resource is down, or that it is there again.
     *
     * @param reason why it is down; null if it is not
     */
    record NoteOutage(LeaseId leaseId, ResourceId resourceId, @Nullable String reason)
            implements LeaseCommand {}

    /** An operator wants the failed action of a lease to be tried again. */
    record RetryLease(LeaseId leaseId) implements LeaseCommand {}

    /** An operator declares a lease over although the cloud could not be cleaned. */
    record ForceEnd(LeaseId leaseId) implements LeaseCommand {}
}
