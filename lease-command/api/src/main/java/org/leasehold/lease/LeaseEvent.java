package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceId;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that can happen to a lease, in the rough order of its life. */
public sealed interface LeaseEvent {

    LeaseId leaseId();

    /** The wish, as it was accepted; what was granted follows in {@link ReservationGranted}. */
    record LeaseRequested(
            LeaseId leaseId,
            ProjectId projectId,
            UserId userId,
            String name,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            List<ReservationWish> reservations)
            implements LeaseEvent {

        public LeaseRequested {
            reservations = List.copyOf(reservations);
        }
    }

    /**
     * The calendar cannot hold the wish: the first and last event of its stream.
     *
     * @param asOf the event position at which the shortages were true
     */
    record LeaseRefused(
            LeaseId leaseId,
            ProjectId projectId,
            UserId userId,
            String name,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            List<ReservationWish> reservations,
            List<Shortage> shortages,
            long asOf)
            implements LeaseEvent {

        public LeaseRefused {
            reservations = List.copyOf(reservations);
            shortages = List.copyOf(shortages);
        }
    }

    /**
     * What the calendar now holds for a reservation; replaces what it held before.
     *
     * @param period when the project may use it
     * @param cleaning how much longer than {@code period} the resources are held
     */
    record ReservationGranted(
            LeaseId leaseId,
            ReservationId reservationId,
            LeasePeriod period,
            Duration cleaning,
            List<Allocation> allocations)
            implements LeaseEvent {

        public ReservationGranted {
            allocations = List.copyOf(allocations);
        }
    }

    /**
     * The lease was not made here: it was taken over from another reservation service as it is
     * there, and so far it has come. Follows what it wishes and what it was granted.
     *
     * @param tenures of the reservations that have in the cloud what they were granted
     */
    record LeaseImported(LeaseId leaseId, LeasePast past, List<Tenure> tenures)
            implements LeaseEvent {

        public LeaseImported {
            tenures = List.copyOf(tenures);
        }
    }

    record LeaseRenamed(LeaseId leaseId, String name) implements LeaseEvent {}

    /** The lease has another window, or another time of its end's announcement. */
    record LeaseRescheduled(LeaseId leaseId, LeasePeriod period, @Nullable Instant beforeEnd)
            implements LeaseEvent {}

    /** The wish of a reservation has changed. */
    record ReservationChanged(
            LeaseId leaseId, ReservationId reservationId, Map<String, @Nullable Object> parameters)
            implements LeaseEvent {

        public ReservationChanged {
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        }

        /** Without the values: users' secrets may be among them. */
        @Override
        public String toString() {
            return "ReservationChanged[%s, %s, %s]"
                    .formatted(leaseId, reservationId, parameters.keySet());
        }
    }

    /**
     * The lease has a further reservation; what was granted follows in {@link ReservationGranted}.
     */
    record ReservationAdded(LeaseId leaseId, ReservationWish reservation) implements LeaseEvent {}

    /**
     * The calendar cannot hold a change; the lease is as it was.
     *
     * @param period the window that was asked for
     * @param reservations the wishes that were asked for
     * @param asOf the event position at which the shortages were true
     */
    record LeaseChangeRefused(
            LeaseId leaseId,
            LeasePeriod period,
            List<ReservationWish> reservations,
            List<Shortage> shortages,
            long asOf)
            implements LeaseEvent {

        public LeaseChangeRefused {
            reservations = List.copyOf(reservations);
            shortages = List.copyOf(shortages);
        }
    }

    /** The lease is due, but resources of it are still in other hands. */
    record LeaseDelayed(LeaseId leaseId, List<ReservationId> awaited, String reason)
            implements LeaseEvent {

        public LeaseDelayed {
            awaited = List.copyOf(awaited);
        }
    }

    /** Another resource took the place of one that cannot serve. */
    record ResourceReplaced(
            LeaseId leaseId,
            ReservationId reservationId,
            ResourceId replaced,
            Allocation replacement,
            String reason)
            implements LeaseEvent {}

    /**
     * The lease took up resources; plugins are asked to start these reservations, beside those that
     * run already.
     */
    record LeaseStarting(LeaseId leaseId, List<Tenure> tenures) implements LeaseEvent {

        public LeaseStarting {
            tenures = List.copyOf(tenures);
        }
    }

    /**
     * The cloud has given what was granted.
     *
     * @param cloudIds what it calls what it made for the reservation, JSON values by name; null for
     *     nothing that anybody is to know
     */
    record ReservationActivated(
            LeaseId leaseId, ReservationId reservationId, @Nullable Map<String, Object> cloudIds)
            implements LeaseEvent {

        /** The cloud has made nothing for it that anybody is to know. */
        public ReservationActivated(LeaseId leaseId, ReservationId reservationId) {
            this(leaseId, reservationId, null);
        }
    }

    /** Every reservation of the lease is active. */
    record LeaseActivated(LeaseId leaseId) implements LeaseEvent {}

    /** A running reservation is to gain and to lose resources; its plugin is asked to. */
    record ReservationAdjusting(
            LeaseId leaseId, Tenure tenure, List<ResourceId> joining, List<Allocation> leaving)
            implements LeaseEvent {

        public ReservationAdjusting {
            joining = List.copyOf(joining);
            leaving = List.copyOf(leaving);
        }
    }

    /**
     * A running reservation has gained and lost what was asked.
     *
     * @param cloudIds what the cloud calls all that it made for the reservation, JSON values by
     *     name; null if that is as it was
     */
    record ReservationAdjusted(
            LeaseId leaseId,
            ReservationId reservationId,
            List<ResourceId> left,
            @Nullable Map<String, Object> cloudIds)
            implements LeaseEvent {

        public ReservationAdjusted {
            left = List.copyOf(left);
        }

        /** What the cloud made is called as it was. */
        public ReservationAdjusted(
                LeaseId leaseId, ReservationId reservationId, List<ResourceId> left) {
            this(leaseId, reservationId, left, null);
        }
    }

    /** A plugin could not do its part; the lease is in error until it ends or is retried. */
    record ReservationFailed(
            LeaseId leaseId, ReservationId reservationId, Action action, Fault fault)
            implements LeaseEvent {}

    /**
     * A resource that a reservation took up is down in the cloud: the lease does not have it now,
     * and keeps what it was promised.
     */
    record ResourceFailed(
            LeaseId leaseId, ReservationId reservationId, ResourceId resourceId, String reason)
            implements LeaseEvent {}

    /** A resource that had failed is there again, and what the lease had of it. */
    record ResourceRecovered(LeaseId leaseId, ReservationId reservationId, ResourceId resourceId)
            implements LeaseEvent {}

    record LeaseEndAnnounced(LeaseId leaseId) implements LeaseEvent {}

    /** The calendar is free again; plugins are asked to take back what these reservations hold. */
    record LeaseEnding(LeaseId leaseId, EndCause cause, List<Tenure> tenures)
            implements LeaseEvent {

        public LeaseEnding {
            tenures = List.copyOf(tenures);
        }
    }

    /** Nothing of the reservation is left in the cloud: its resources may go to the next. */
    record ReservationReleased(LeaseId leaseId, ReservationId reservationId)
            implements LeaseEvent {}

    record LeaseEnded(LeaseId leaseId, EndCause cause) implements LeaseEvent {}

    /** The lease no longer exists for its project. */
    record LeaseDeleted(LeaseId leaseId) implements LeaseEvent {}
}
