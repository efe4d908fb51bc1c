package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All events of a lease, in the rough order of its life. */
public sealed interface LeaseEvent {

    LeaseId leaseId();

    /**
     * The accepted request; the grants follow in {@link ReservationGranted}.
     *
     * @param onFailure the policy for a failed start; null for {@link StartFailurePolicy#KEEP}
     */
    record LeaseRequested(
            LeaseId leaseId,
            ProjectId projectId,
            UserId userId,
            String name,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            List<ReservationWish> reservations,
            @Nullable StartFailurePolicy onFailure)
            implements LeaseEvent {

        public LeaseRequested {
            reservations = List.copyOf(reservations);
        }
    }

    /**
     * The calendar cannot hold the request: the last event of its stream, and the only one unless
     * the request was to be retried.
     *
     * @param asOf the event position at which the shortages were true
     * @param onFailure the policy for a failed start; null for {@link StartFailurePolicy#KEEP}
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
            long asOf,
            @Nullable StartFailurePolicy onFailure)
            implements LeaseEvent {

        public LeaseRefused {
            reservations = List.copyOf(reservations);
            shortages = List.copyOf(shortages);
        }
    }

    /**
     * The calendar cannot hold the request yet, and the engine retries it. A later attempt has the
     * events of a grant, or {@link LeaseRefused}. After an early attempt, the plan has the same
     * next attempt as before.
     *
     * @param shortages the reasons of the last attempt
     * @param asOf the event position at which the shortages were true
     * @param onFailure the policy for a failed start; null for {@link StartFailurePolicy#KEEP}
     */
    record LeaseRetryScheduled(
            LeaseId leaseId,
            ProjectId projectId,
            UserId userId,
            String name,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            List<ReservationWish> reservations,
            RetryPlan plan,
            List<Shortage> shortages,
            long asOf,
            @Nullable StartFailurePolicy onFailure)
            implements LeaseEvent {

        public LeaseRetryScheduled {
            reservations = List.copyOf(reservations);
            shortages = List.copyOf(shortages);
        }
    }

    /**
     * The resources that the calendar now holds for a reservation; replaces the earlier ones.
     *
     * @param period the window in which the project may use them
     * @param cleaning the time after {@code period} for which the resources are still held
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
     * The lease was imported from another reservation service in its state there. Its request and
     * grants follow.
     *
     * @param tenures the tenures of the reservations that have their granted resources in the cloud
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

    /**
     * The request of a reservation has changed: by its project, or because the cloud has confirmed
     * a smaller one. Then {@link ReservationAdjusted} follows in the same transaction.
     */
    record ReservationChanged(
            LeaseId leaseId, ReservationId reservationId, Map<String, @Nullable Object> parameters)
            implements LeaseEvent {

        public ReservationChanged {
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        }

        /** Omits the values: users' secrets may be among them. */
        @Override
        public String toString() {
            return "ReservationChanged[%s, %s, %s]"
                    .formatted(leaseId, reservationId, parameters.keySet());
        }
    }

    /** The lease has another reservation; its grant follows in {@link ReservationGranted}. */
    record ReservationAdded(LeaseId leaseId, ReservationWish reservation) implements LeaseEvent {}

    /**
     * The lease no longer has a reservation, and the calendar is free of it. {@link
     * ReservationReleased} follows when the cloud is clean of it. A retry after a failure repeats
     * the event.
     *
     * @param tenure the tenure of the resources that its plug-in takes back; null if it held
     *     nothing
     */
    record ReservationRemoved(LeaseId leaseId, ReservationId reservationId, @Nullable Tenure tenure)
            implements LeaseEvent {}

    /**
     * The calendar cannot hold a change; the lease stays unchanged.
     *
     * @param period the requested window
     * @param reservations the requested reservations
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

    /** The lease is due, but other reservations still hold resources of it. */
    record LeaseDelayed(LeaseId leaseId, List<ReservationId> awaited, String reason)
            implements LeaseEvent {

        public LeaseDelayed {
            awaited = List.copyOf(awaited);
        }
    }

    /** Another resource replaced one that cannot serve. */
    record ResourceReplaced(
            LeaseId leaseId,
            ReservationId reservationId,
            ResourceId replaced,
            Allocation replacement,
            String reason)
            implements LeaseEvent {}

    /**
     * The lease got its resources; plug-ins start these reservations, beside those that run
     * already.
     *
     * @param waiting those of them that start later, when all that they start after are active;
     *     null for none
     */
    record LeaseStarting(
            LeaseId leaseId, List<Tenure> tenures, @Nullable List<ReservationId> waiting)
            implements LeaseEvent {

        public LeaseStarting {
            tenures = List.copyOf(tenures);
            waiting = waiting == null ? null : List.copyOf(waiting);
        }

        /** Creates the event of a start of all reservations at once. */
        public LeaseStarting(LeaseId leaseId, List<Tenure> tenures) {
            this(leaseId, tenures, null);
        }
    }

    /**
     * The cloud has provided the granted resources.
     *
     * @param cloudIds the cloud's ids of what it created for the reservation, JSON values by name;
     *     null if there are no public ones
     * @param next the reservations that waited for this one, and start now; null for none
     */
    record ReservationActivated(
            LeaseId leaseId,
            ReservationId reservationId,
            @Nullable Map<String, Object> cloudIds,
            @Nullable List<Tenure> next)
            implements LeaseEvent {

        /** Creates the event without public ids. */
        public ReservationActivated(LeaseId leaseId, ReservationId reservationId) {
            this(leaseId, reservationId, null, null);
        }
    }

    /** Every reservation of the lease is active. */
    record LeaseActivated(LeaseId leaseId) implements LeaseEvent {}

    /**
     * A running reservation will gain and lose resources; its plug-in makes the change.
     *
     * @param moves the leaving resources from which servers move to others; null for none
     */
    record ReservationAdjusting(
            LeaseId leaseId,
            Tenure tenure,
            List<ResourceId> joining,
            List<Allocation> leaving,
            @Nullable List<ResourceMove> moves)
            implements LeaseEvent {

        public ReservationAdjusting {
            joining = List.copyOf(joining);
            leaving = List.copyOf(leaving);
            moves = moves == null ? null : List.copyOf(moves);
        }

        /** Creates the event without moves. */
        public ReservationAdjusting(
                LeaseId leaseId,
                Tenure tenure,
                List<ResourceId> joining,
                List<Allocation> leaving) {
            this(leaseId, tenure, joining, leaving, null);
        }
    }

    /**
     * A running reservation has gained and lost the resources.
     *
     * @param cloudIds the cloud's ids of all that it created for the reservation, JSON values by
     *     name; null if they did not change
     * @param next the reservations that waited for this one, and start now; null for none
     */
    record ReservationAdjusted(
            LeaseId leaseId,
            ReservationId reservationId,
            List<ResourceId> left,
            @Nullable Map<String, Object> cloudIds,
            @Nullable List<Tenure> next)
            implements LeaseEvent {

        public ReservationAdjusted {
            left = List.copyOf(left);
            next = next == null ? null : List.copyOf(next);
        }

        /** Creates the event without changed ids. */
        public ReservationAdjusted(
                LeaseId leaseId, ReservationId reservationId, List<ResourceId> left) {
            this(leaseId, reservationId, left, null, null);
        }
    }

    /** A plug-in failed in its action; the lease is in error until it ends or is retried. */
    record ReservationFailed(
            LeaseId leaseId, ReservationId reservationId, Action action, Fault fault)
            implements LeaseEvent {}

    /**
     * A resource of a reservation is down in the cloud: the lease cannot use it now, and keeps its
     * grant.
     */
    record ResourceFailed(
            LeaseId leaseId, ReservationId reservationId, ResourceId resourceId, String reason)
            implements LeaseEvent {}

    /** A failed resource works again, and with it the lease's use of it. */
    record ResourceRecovered(LeaseId leaseId, ReservationId reservationId, ResourceId resourceId)
            implements LeaseEvent {}

    record LeaseEndAnnounced(LeaseId leaseId) implements LeaseEvent {}

    /** The calendar is free again; plug-ins take back the resources of these reservations. */
    record LeaseEnding(LeaseId leaseId, EndCause cause, List<Tenure> tenures)
            implements LeaseEvent {

        public LeaseEnding {
            tenures = List.copyOf(tenures);
        }
    }

    /** The cloud is clean of the reservation: its resources may go to the next lease. */
    record ReservationReleased(LeaseId leaseId, ReservationId reservationId)
            implements LeaseEvent {}

    record LeaseEnded(LeaseId leaseId, EndCause cause) implements LeaseEvent {}

    /** The lease no longer exists for its project. */
    record LeaseDeleted(LeaseId leaseId) implements LeaseEvent {}
}
