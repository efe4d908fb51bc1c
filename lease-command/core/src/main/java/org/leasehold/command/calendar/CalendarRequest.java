package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request of a command to the calendar, which it needs before it can be decided.
 *
 * @param <G> the answers to it
 */
public sealed interface CalendarRequest<G extends Grant> {

    Class<G> grantType();

    /** A request that the calendar always grants. */
    sealed interface Unconditional extends CalendarRequest<Grant.Done> {

        @Override
        default Class<Grant.Done> grantType() {
            return Grant.Done.class;
        }
    }

    /** Requests nothing. */
    record Nothing() implements Unconditional {}

    /**
     * Holds these resources instead of those that the reservations held before. Answered with
     * {@link Grant.Held}, or with {@link Grant.HoldRefused} for all reservations that get too few.
     *
     * @param wanted the demand of each reservation; a reservation with several demands is in it
     *     once for each
     * @param removal the removal of other reservations, before resources are chosen; null for none
     * @param repeated whether it repeats an earlier request, which another node may have granted
     *     meanwhile
     */
    record Hold(
            LeaseId lease,
            ProjectId project,
            List<Wanted> wanted,
            @Nullable Shorten removal,
            boolean repeated)
            implements CalendarRequest<Grant.OfHold> {

        public Hold {
            wanted = List.copyOf(wanted);
        }

        /** Creates a request that repeats no earlier one. */
        public Hold(
                LeaseId lease, ProjectId project, List<Wanted> wanted, @Nullable Shorten removal) {
            this(lease, project, wanted, removal, false);
        }

        /** Creates a request that removes no reservations, and repeats no earlier request. */
        public Hold(LeaseId lease, ProjectId project, List<Wanted> wanted) {
            this(lease, project, wanted, null, false);
        }

        @Override
        public Class<Grant.OfHold> grantType() {
            return Grant.OfHold.class;
        }

        /** Returns whether no reservation has claims already, is running, or is removed. */
        public boolean isFresh() {
            return removal == null
                    && wanted.stream()
                            .allMatch(each -> each.current().isEmpty() && !each.running());
        }

        /** Returns whether there are several demands, which compete with each other. */
        public boolean hasSeveralDemands() {
            return wanted.size() > 1;
        }

        /** Returns whether a reservation requests shares of resources. */
        public boolean hasShares() {
            return wanted.stream().anyMatch(each -> each.demand() instanceof Demand.Shared);
        }

        /**
         * Returns the only reservation if it is for a number of like resources; otherwise empty.
         */
        public Optional<Wanted> singleCount() {
            return wanted.stream()
                    .filter(_ -> wanted.size() == 1)
                    .filter(w -> w.demand() instanceof Demand.Whole d && d.required().isEmpty())
                    .findFirst();
        }

        public List<ReservationId> reservations() {
            return wanted.stream().map(Wanted::reservation).distinct().toList();
        }
    }

    /**
     * A demand of one reservation. The calendar adds cleaning time.
     *
     * @param period the window to claim
     * @param current all that the reservation holds now; taken before others
     * @param running whether it has started, or starts now. Then resources of {@code current} that
     *     it keeps cannot be replaced, and additional ones must have no holder now; it becomes
     *     their holder at once
     * @param adjusts whether, while it is running, it gets another tenure even if it keeps its
     *     resources: there is something to do in the cloud
     */
    record Wanted(
            ReservationId reservation,
            Demand demand,
            LeasePeriod period,
            List<ResourceId> current,
            boolean running,
            boolean adjusts) {

        public Wanted {
            current = List.copyOf(current);
        }

        /** Creates a demand that adjusts only gained and lost resources. */
        public Wanted(
                ReservationId reservation,
                Demand demand,
                LeasePeriod period,
                List<ResourceId> current,
                boolean running) {
            this(reservation, demand, period, current, running, false);
        }
    }

    /**
     * Becomes the holder of the granted resources. A resource that is out of service is replaced by
     * another free one where the demand allows it. Answered with {@link Grant.TakenUp}, {@link
     * Grant.Awaited} or {@link Grant.Unserviceable}.
     *
     * @param waits whether it is known already that the lease has to wait. Then only the tables may
     *     confirm that it still does. The first time, memory may answer so, because the lease asks
     *     again at no cost to others
     * @param endIfUnserviceable the time to which the claims are shortened, as by {@link Shorten},
     *     if a resource is out of service and no other can replace it; null to keep them
     */
    record TakeUp(
            LeaseId lease,
            ProjectId project,
            List<Granted> reservations,
            boolean waits,
            @Nullable Instant endIfUnserviceable)
            implements CalendarRequest<Grant.OfTakeUp> {

        public TakeUp {
            reservations = List.copyOf(reservations);
        }

        /** Creates a request that keeps the claims. */
        public TakeUp(LeaseId lease, ProjectId project, List<Granted> reservations, boolean waits) {
            this(lease, project, reservations, waits, null);
        }

        @Override
        public Class<Grant.OfTakeUp> grantType() {
            return Grant.OfTakeUp.class;
        }

        /** Returns whether a reservation was granted shares of resources. */
        public boolean hasShares() {
            return Granted.haveShares(reservations);
        }

        /** Returns the granted resources. */
        public List<ResourceId> resources() {
            return Granted.resources(reservations);
        }
    }

    /**
     * Replaces granted resources that are out of service, each by another free one where the demand
     * allows it. The reservations hold nothing yet. Answered with {@link Grant.Replaced}.
     */
    record Replace(LeaseId lease, ProjectId project, List<Granted> reservations)
            implements CalendarRequest<Grant.Replaced> {

        public Replace {
            reservations = List.copyOf(reservations);
        }

        @Override
        public Class<Grant.Replaced> grantType() {
            return Grant.Replaced.class;
        }
    }

    /**
     * Replaces a failed resource of a running reservation by another that is free until its end,
     * and has no holder. The reservation becomes its holder, and stays the holder of the failed
     * one. Answered with {@link Grant.Held}, or with {@link Grant.Unserviceable} without a
     * replacement.
     *
     * @param running what the reservation holds now
     * @param failed the resource to replace
     */
    record ReplaceFailed(LeaseId lease, ProjectId project, Granted running, ResourceId failed)
            implements CalendarRequest<Grant.OfReplaceFailed> {

        @Override
        public Class<Grant.OfReplaceFailed> grantType() {
            return Grant.OfReplaceFailed.class;
        }
    }

    /**
     * The grant of one reservation.
     *
     * @param period the window in which a replacement must be free: from now or from the start of
     *     the lease, to its end
     */
    record Granted(
            ReservationId reservation,
            List<Demand> demands,
            LeasePeriod period,
            List<Allocation> allocations) {

        public Granted {
            demands = List.copyOf(demands);
            allocations = List.copyOf(allocations);
        }

        /** Returns whether a reservation was granted shares of resources. */
        public static boolean haveShares(List<Granted> reservations) {
            return reservations.stream()
                    .flatMap(granted -> granted.allocations().stream())
                    .anyMatch(allocation -> allocation.share() != null);
        }

        /** Returns all granted resources. */
        public static List<ResourceId> resources(List<Granted> reservations) {
            return reservations.stream()
                    .flatMap(granted -> granted.allocations().stream())
                    .map(Allocation::resource)
                    .toList();
        }
    }

    /**
     * Holds exactly these resources, which another service may have chosen. Reservations that have
     * them in the cloud become their holders. Answered with {@link Grant.Held}, with the tenures of
     * these, or with {@link Grant.NotFree}.
     */
    record Adopt(
            LeaseId lease, ProjectId project, List<AdoptedReservation> reservations, Instant now)
            implements CalendarRequest<Grant.OfAdopt> {

        public Adopt {
            reservations = List.copyOf(reservations);
        }

        @Override
        public Class<Grant.OfAdopt> grantType() {
            return Grant.OfAdopt.class;
        }
    }

    /**
     * Reduces a running reservation to some of its resources: to the first whole ones, and to
     * smaller shares. Answered with {@link Grant.Reduced}, or with {@link Grant.NotReduced} if they
     * do not meet the demands.
     *
     * @param demands all needs from now on
     * @param period the window to claim
     * @param current all that it holds now
     * @param leaving resources that it lost in the calendar before, and that it releases now
     */
    record Reduce(
            LeaseId lease,
            ProjectId project,
            ReservationId reservation,
            List<Demand> demands,
            LeasePeriod period,
            List<Allocation> current,
            Set<ResourceId> leaving)
            implements CalendarRequest<Grant.OfReduce> {

        public Reduce {
            demands = List.copyOf(demands);
            current = List.copyOf(current);
            leaving = Set.copyOf(leaving);
        }

        @Override
        public Class<Grant.OfReduce> grantType() {
            return Grant.OfReduce.class;
        }
    }

    /**
     * Shortens the claims of reservations of a lease to {@code end}, and drops claims that have not
     * begun by then. Cleaning follows the end if they hold the resources.
     */
    record Shorten(LeaseId lease, List<ReservationId> reservations, Instant end)
            implements Unconditional {

        public Shorten {
            reservations = List.copyOf(reservations);
        }
    }

    /**
     * Releases resources of the reservation.
     *
     * @param resources the resources; empty for all
     */
    record LetGo(ReservationId reservation, Set<ResourceId> resources) implements Unconditional {

        public LetGo {
            resources = Set.copyOf(resources);
        }
    }

    /** Combines {@link Shorten} of reservations and {@link LetGo} of all of the lease. */
    record GiveUp(LeaseId lease, List<ReservationId> reservations, Instant end)
            implements Unconditional {

        public GiveUp {
            reservations = List.copyOf(reservations);
        }
    }
}
