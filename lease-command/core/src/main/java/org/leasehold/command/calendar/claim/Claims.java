package org.leasehold.command.calendar.claim;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.ResourceCapacity;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

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

/** The table of claims. Every method is one statement in the current transaction. */
public interface Claims {

    /** Returns the time for which a resource is kept after a lease. */
    Duration cleaning();

    /** Returns the window to claim for the use of resources during a period. */
    default LeasePeriod claimWindow(LeasePeriod period) {
        return claimWindow(period, cleaning());
    }

    static LeasePeriod claimWindow(LeasePeriod period, Duration cleaning) {
        return new LeasePeriod(
                period.start().truncatedTo(ChronoUnit.MICROS),
                period.end().truncatedTo(ChronoUnit.MICROS).plus(cleaning));
    }

    /** Returns the smallest window that contains all of them. */
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

    /** The distance from a window within which claims count when wear is spread. */
    Duration SPREAD_DISTANCE = Duration.ofDays(30);

    /** Returns the time in which claims count when wear is spread. */
    static LeasePeriod spreadWindow(Collection<LeasePeriod> windows) {
        LeasePeriod hull = hull(windows);
        return new LeasePeriod(
                hull.start().minus(SPREAD_DISTANCE), hull.end().plus(SPREAD_DISTANCE));
    }

    CalendarSnapshot readSnapshot(CalendarSnapshot.Question question);

    Head head();

    /** Locks the event log against other appends until this transaction ends. */
    void lockHead();

    /** Reads all claims on some resources in a span of time. */
    default Survey survey(LeasePeriod span, Collection<ResourceId> resources) {
        return survey(span, resources, Integer.MAX_VALUE).orElseThrow();
    }

    /** Does the same; returns empty if more claims touch the span, on any resource. */
    Optional<Survey> survey(LeasePeriod span, Collection<ResourceId> resources, int maxClaims);

    /** Deletes all claims of the reservations, and returns them. */
    Map<ReservationId, List<Claim>> deleteAll(Collection<ReservationId> reservations);

    /** Deletes a reservation's claims on some resources. */
    void delete(ReservationId reservation, Collection<ResourceId> resources);

    /**
     * Locks these resources against other claims on shares of them, and against changes, until this
     * transaction ends.
     */
    void lock(List<ResourceId> resources);

    /** Returns the claims on some resources that touch a window. */
    List<Claim> findTouching(List<ResourceId> resources, LeasePeriod window);

    /**
     * Claims the offered resources that are free and in service, and returns them. It does not
     * check whether shares suffice: {@link ClaimInsertion} does.
     */
    Map<ReservationId, Set<ResourceId>> claim(List<Offer> offers);

    /** Returns all claims that are not over yet. */
    Live findUnexpired(Instant now);

    /** Returns those of some leases. */
    Live findUnexpired(Set<LeaseId> leases, Instant now);

    /**
     * Shortens the claims of reservations of a lease to {@code end}, plus cleaning where they hold
     * the resource.
     */
    void shorten(LeaseId lease, Collection<ReservationId> reservations, Instant end);

    int deleteEndedBefore(Instant instant, int limit);

    /**
     * The resources to claim for one reservation, or the shares of them in their allocations.
     *
     * @param kept the resources to claim in any state: the reservation holds them, and the new
     *     window lies within the old one
     * @param demand the demand that they were chosen for
     */
    record Offer(
            LeaseId lease,
            ProjectId project,
            ReservationId reservation,
            LeasePeriod window,
            List<CachedResource> resources,
            Set<ResourceId> kept,
            Demand demand) {

        public Offer {
            resources = List.copyOf(resources);
        }

        /**
         * Returns the properties that they were chosen by. A name such as {@code free_vcpus} may be
         * a real property, too.
         */
        public Set<String> reliedOnProperties() {
            Set<String> properties =
                    demand.requirement().properties().stream()
                            .flatMap(name -> Stream.of(name, PropertyName.withoutFreePrefix(name)))
                            .collect(Collectors.toCollection(TreeSet::new));
            if (demand instanceof Demand.Shared shared) {
                shared.needs()
                        .keySet()
                        .forEach(need -> properties.add(ResourceCapacity.propertyOf(need)));
            }
            return properties;
        }
    }

    /** The version of the inventory and the position of the last event, in one snapshot. */
    record Head(long inventoryVersion, long position) {}

    /**
     * Claims that are not over, by lease and reservation.
     *
     * @param position the last event in the same snapshot
     */
    record Live(long position, Map<LeaseId, Map<ReservationId, List<Claim>>> leases) {}

    /**
     * The claims on some resources that touch a span of time, and other data of the same snapshot.
     *
     * @param held the resources with a holder, of these resources at least
     * @param heldWhole those of them with a holder of the whole
     */
    record Survey(
            long inventoryVersion,
            long position,
            Set<ResourceId> held,
            Set<ResourceId> heldWhole,
            List<Claim> claims) {

        /** Returns the snapshot that {@link #readSnapshot} would have read. */
        public CalendarSnapshot snapshot(Set<LeasePeriod> windows) {
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
            return new CalendarSnapshot(inventoryVersion, position, claimed, held, counts);
        }
    }
}
