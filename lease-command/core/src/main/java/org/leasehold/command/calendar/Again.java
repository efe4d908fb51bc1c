package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Grants the very resources that were granted once, by the rules that the tables keep. */
final class Again {

    private final PaperClaims claims;
    private final PaperHolders holders;
    private final Holding holding;
    private final Claiming claiming;

    Again(PaperClaims claims, PaperHolders holders, Holding holding) {
        this.claims = claims;
        this.holders = holders;
        this.holding = holding;
        this.claiming = new Claiming(claims);
    }

    /**
     * Grants what was granted once; empty if it was not, or is not there and free, in which case
     * the caller has to undo what was written.
     *
     * @param once what the reservations were granted
     * @param mayGetMore whether less than is wanted is no reason to leave it at that
     */
    Optional<Grant> grant(
            Hold request,
            Inventory inventory,
            Map<ReservationId, List<Allocation>> once,
            boolean mayGetMore) {
        List<ReservationId> reservations = Holding.reservations(request);
        if (reservations.isEmpty() || !once.keySet().containsAll(reservations)) {
            return Optional.empty();
        }
        Map<ReservationId, List<Claim>> before = claims.takeBack(reservations);
        List<Offer> offers = new ArrayList<>();
        for (Wanted wanted : request.wanted()) {
            ReservationId reservation = wanted.reservation();
            List<Claim> had = before.getOrDefault(reservation, List.of());
            Optional<Offer> offer =
                    offer(
                            request,
                            wanted,
                            inventory,
                            had,
                            Objects.requireNonNull(once.get(reservation)));
            if (offer.isEmpty()
                    || (mayGetMore && isLess(wanted.demand(), offer.get().resources()))) {
                return Optional.empty();
            }
            offers.add(offer.get());
        }
        Map<ReservationId, List<Allocation>> wished = new LinkedHashMap<>();
        reservations.forEach(id -> wished.put(id, Objects.requireNonNull(once.get(id))));
        return claim(offers, wished)
                .map(
                        granted ->
                                new Grant.Held(
                                        granted,
                                        claims.cleaning(),
                                        holding.tenures(request, before, granted)));
    }

    private Optional<Map<ReservationId, List<Allocation>>> claim(
            List<Offer> offers, Map<ReservationId, List<Allocation>> granted) {
        try {
            Map<ReservationId, Set<ResourceId>> claimed = claiming.claim(offers);
            boolean isAll =
                    granted.entrySet().stream()
                            .allMatch(
                                    each ->
                                            Objects.requireNonNull(claimed.get(each.getKey()))
                                                            .size()
                                                    == each.getValue().size());
            return isAll ? Optional.of(granted) : Optional.empty();
        } catch (CalendarContention notFree) {
            return Optional.empty();
        }
    }

    /** What was granted once for one demand; empty if it may not be granted now. */
    private Optional<Offer> offer(
            Hold request,
            Wanted wanted,
            Inventory inventory,
            List<Claim> before,
            List<Allocation> once) {
        List<Demand> demands =
                request.wanted().stream()
                        .filter(other -> other.reservation().equals(wanted.reservation()))
                        .map(Wanted::demand)
                        .toList();
        LeasePeriod window = claims.toClaim(wanted.period());
        Set<ResourceId> promised = promised(before, window);
        List<KnownResource> offered = new ArrayList<>();
        for (Allocation allocation : once) {
            Optional<KnownResource> known = inventory.find(allocation.resource());
            if (known.isEmpty()) {
                return Optional.empty();
            }
            if (!inventory.servedBy(allocation.resource(), demands).equals(wanted.demand())) {
                continue;
            }
            Share share = allocation.share();
            KnownResource part = share == null ? known.get() : known.get().part(share);
            boolean mayBeGranted =
                    promised.contains(part.id())
                            || (part.enrolled() && meets(part, wanted.demand()));
            if (!mayBeGranted || (wanted.running() && isInOtherHands(wanted, part))) {
                return Optional.empty();
            }
            offered.add(part);
        }
        return Optional.of(
                new Offer(
                        request.lease(),
                        request.project(),
                        wanted.reservation(),
                        window,
                        offered,
                        promised,
                        wanted.demand()));
    }

    private static boolean isLess(Demand demand, Collection<KnownResource> offered) {
        return switch (demand) {
            case Demand.Whole whole -> offered.size() < whole.maximum();
            case Demand.Shared _ -> false;
        };
    }

    private static boolean meets(KnownResource resource, Demand demand) {
        // What is left of a resource is looked at when it is claimed.
        return new Left(demand.requirement()).matters()
                || Inventory.meets(resource, demand.kind(), demand.requirement());
    }

    private boolean isInOtherHands(Wanted wanted, KnownResource resource) {
        boolean shares = resource.allocation().share() != null;
        return !wanted.current().contains(resource.id())
                && holders.hands(resource.id()).stream()
                        .filter(hand -> !hand.reservation().equals(wanted.reservation()))
                        .anyMatch(hand -> !(shares && hand.shares()));
    }

    private static Set<ResourceId> promised(List<Claim> before, LeasePeriod window) {
        return before.stream()
                .filter(claim -> !window.start().isBefore(claim.during().start()))
                .filter(claim -> !window.end().isAfter(claim.during().end()))
                .map(Claim::resource)
                .collect(Collectors.toSet());
    }
}
