package org.leasehold.command.calendar.selection;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The claims that the reservations of a request had before it; they count as free. */
record EarlierClaims(Map<ReservationId, List<Claim>> byReservation) {

    List<Claim> of(ReservationId reservation) {
        return byReservation.getOrDefault(reservation, List.of());
    }

    /**
     * Returns the resources with a promise for the window. A resource that went out of service, or
     * no longer meets the request, gets no new promise, but keeps the old one.
     */
    Set<ResourceId> promisedResources(ReservationId reservation, LeasePeriod window) {
        return of(reservation).stream()
                .filter(claim -> !window.start().isBefore(claim.during().start()))
                .filter(claim -> !window.end().isAfter(claim.during().end()))
                .map(Claim::resource)
                .collect(Collectors.toSet());
    }

    /**
     * Returns the shares that a running reservation keeps in any case: promised ones of the size
     * that it requests.
     *
     * @param had its claims for this demand
     */
    List<Claim> keptShares(
            ReservationId reservation, Demand.Shared demand, LeasePeriod window, List<Claim> had) {
        Set<ResourceId> promised = promisedResources(reservation, window);
        return had.stream()
                .filter(claim -> promised.contains(claim.resource()))
                .flatMap(
                        claim ->
                                Stream.ofNullable(claim.share())
                                        .filter(share -> share.needs().equals(demand.needs()))
                                        .map(share -> new Claim(claim.resource(), window, share)))
                .toList();
    }
}
