package org.leasehold.command.calendar;

import org.leasehold.calendar.Capacity;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of claims. Every method is one statement of the transaction of the moment. */
interface Claims {

    /** How long a resource is kept after a lease. */
    Duration cleaning();

    /** The window that has to be claimed to use resources during a period. */
    default LeasePeriod toClaim(LeasePeriod period) {
        return toClaim(period, cleaning());
    }

    static LeasePeriod toClaim(LeasePeriod period, Duration cleaning) {
        return new LeasePeriod(
                period.start().truncatedTo(ChronoUnit.MICROS),
                period.end().truncatedTo(ChronoUnit.MICROS).plus(cleaning));
    }

    /** The smallest window that contains all of them. */
    static LeasePeriod hull(Collection<LeasePeriod> windows) {
        return windows.stream()
                .reduce(
                        (one, other) ->
                                new LeasePeriod(
                                        one.start().isBefore(other.start())
                                                ? one.start()
                                                : other.start(),
                                        one.end().isAfter(other.end()) ? one.end() : other.end()))
                .orElseThrow();
    }

    /** Claims at this distance from a window count when wear is spread. */
    Duration SPREAD = Duration.ofDays(30);

    /** The time in which claims count when wear is spread. */
    static LeasePeriod around(Collection<LeasePeriod> windows) {
        LeasePeriod hull = hull(windows);
        return new LeasePeriod(hull.start().minus(SPREAD), hull.end().plus(SPREAD));
    }

    Snapshot look(Snapshot.Question question);

    Head head();

    /** Keeps everybody else from appending events until this transaction ends. */
    void lockHead();

    /** Everything that can be known about some resources in a span of time. */
    default Survey survey(LeasePeriod span, Collection<ResourceId> resources) {
        return survey(span, resources, Integer.MAX_VALUE).orElseThrow();
    }

    /** The same; empty if more claims touch the span, on whatever resources. */
    Optional<Survey> survey(LeasePeriod span, Collection<ResourceId> resources, int mostClaims);

    /** Removes all claims of the reservations and says what they were. */
    Map<ReservationId, List<Claim>> takeBack(Collection<ReservationId> reservations);

    /** Removes a reservation's claims on some resources. */
    void drop(ReservationId reservation, Collection<ResourceId> resources);

    /**
     * Keeps everybody else from claiming shares of these resources, or from changing them, until
     * this transaction ends.
     */
    void lock(List<ResourceId> resources);

    /** The claims on some resources that touch a window. */
    List<Claim> on(List<ResourceId> resources, LeasePeriod window);

    /**
     * Claims what is free and in service of all that is offered, and says what that was. Whether
     * shares suffice is not looked at: {@link Claiming} does.
     */
    Map<ReservationId, Set<ResourceId>> claim(List<Offer> offers);

    /** All claims that are not over yet. */
    Live live(Instant now);

    /** Those of some leases. */
    Live live(Set<LeaseId> leases, Instant now);

    /**
     * Nothing of the lease is claimed for longer than until {@code end} and, where it was held, its
     * cleaning.
     */
    void shorten(LeaseId lease, Instant end);

    int forgetBefore(Instant instant, int atMost);

    /**
     * Resources to claim for one reservation, or those shares of them that their allocations tell.
     *
     * @param kept those that are claimed whatever became of them: they are in the reservation's
     *     hands, and the new window lies within the old one
     * @param demand what they were chosen for
     */
    record Offer(
            LeaseId lease,
            ProjectId project,
            ReservationId reservation,
            LeasePeriod window,
            List<KnownResource> resources,
            Set<ResourceId> kept,
            Demand demand) {

        public Offer {
            resources = List.copyOf(resources);
        }

        /** The properties that they were chosen by: what is left of one, too, may be one itself. */
        Set<String> reliesOn() {
            Set<String> properties =
                    demand.requirement().properties().stream()
                            .flatMap(name -> Stream.of(name, PropertyName.whole(name)))
                            .collect(Collectors.toCollection(TreeSet::new));
            if (demand instanceof Demand.Shared shared) {
                shared.needs().keySet().forEach(need -> properties.add(Capacity.property(need)));
            }
            return properties;
        }
    }

    /** How far the inventory and the events have come, in one snapshot. */
    record Head(long inventoryVersion, long position) {}

    /**
     * Claims that are not over, by lease and reservation.
     *
     * @param position the last event in the same snapshot
     */
    record Live(long position, Map<LeaseId, Map<ReservationId, List<Claim>>> leases) {}

    /**
     * The claims on some resources that touch a span of time, and what else was true in the same
     * snapshot.
     *
     * @param held what is in anybody's hands, of these resources at least
     * @param heldWhole what of that is in the hands of one alone
     */
    record Survey(
            long inventoryVersion,
            long position,
            Set<ResourceId> held,
            Set<ResourceId> heldWhole,
            List<Claim> claims) {

        /** What {@link #look} would have seen. */
        Snapshot snapshot(Set<LeasePeriod> windows) {
            Map<LeasePeriod, Set<ResourceId>> claimed = new HashMap<>();
            Map<ResourceId, Integer> counts = new HashMap<>();
            for (LeasePeriod window : windows) {
                claimed.put(
                        window,
                        claims.stream()
                                .filter(claim -> claim.during().overlaps(window))
                                .map(Claim::resource)
                                .collect(Collectors.toSet()));
            }
            claims.forEach(claim -> counts.merge(claim.resource(), 1, Integer::sum));
            return new Snapshot(inventoryVersion, position, claimed, held, counts);
        }
    }
}
