package org.leasehold.command.calendar.replay;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.ClaimInsertion;
import org.leasehold.command.calendar.claim.ClaimRemoval;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.stored.HoldHandler;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Grants the recorded resources again, by the rules of the tables. */
final class RecordedGrants {

    private final ReplayClaims claims;
    private final ReplayHolders holders;
    private final HoldHandler holdHandler;
    private final ClaimInsertion claimInsertion;
    private final ClaimRemoval claimRemoval;

    RecordedGrants(ReplayClaims claims, ReplayHolders holders, HoldHandler holding) {
        this.claims = claims;
        this.holders = holders;
        this.holdHandler = holding;
        this.claimInsertion = new ClaimInsertion(claims);
        this.claimRemoval = new ClaimRemoval(claims);
    }

    /**
     * Grants the recorded resources. Returns empty if nothing was granted, or if they do not exist
     * or are not free; then the caller has to undo the writes.
     *
     * @param once the recorded grant of the reservations
     * @param mayGetMore whether the calendar may grant more than a recorded grant below the maximum
     */
    Optional<Grant.Held> grant(
            Hold request,
            InventorySnapshot inventory,
            Map<ReservationId, List<Allocation>> once,
            boolean mayGetMore) {
        List<ReservationId> reservations = request.reservations();
        if (reservations.isEmpty() || !once.keySet().containsAll(reservations)) {
            return Optional.empty();
        }
        Map<ReservationId, List<Claim>> before = claimRemoval.removeFor(request);
        List<Offer> offers = new ArrayList<>();
        for (Wanted wanted : request.wanted()) {
            ReservationId reservation = wanted.reservation();
            List<Claim> had = before.getOrDefault(reservation, List.of());
            Optional<Offer> offer =
                    recordedOffer(
                            request,
                            wanted,
                            inventory,
                            had,
                            Objects.requireNonNull(once.get(reservation)));
            if (offer.isEmpty()
                    || (mayGetMore && isBelowMaximum(wanted.demand(), offer.get().resources()))) {
                return Optional.empty();
            }
            offers.add(offer.get());
        }
        Map<ReservationId, List<Allocation>> wished = new LinkedHashMap<>();
        reservations.forEach(id -> wished.put(id, Objects.requireNonNull(once.get(id))));
        return claimAll(offers, wished)
                .map(
                        granted ->
                                new Grant.Held(
                                        granted,
                                        claims.cleaning(),
                                        holdHandler.renewTenures(request, before, granted)));
    }

    private Optional<Map<ReservationId, List<Allocation>>> claimAll(
            List<Offer> offers, Map<ReservationId, List<Allocation>> granted) {
        Map<ReservationId, Set<ResourceId>> claimed =
                claimInsertion.insertClaims(offers).orElse(Map.of());
        boolean isAll =
                granted.entrySet().stream()
                        .allMatch(
                                each ->
                                        claimed.getOrDefault(each.getKey(), Set.of()).size()
                                                == each.getValue().size());
        return isAll ? Optional.of(granted) : Optional.empty();
    }

    /** Returns the recorded grant for one demand; empty if it may not be granted now. */
    private Optional<Offer> recordedOffer(
            Hold request,
            Wanted wanted,
            InventorySnapshot inventory,
            List<Claim> before,
            List<Allocation> once) {
        List<Demand> demands =
                request.wanted().stream()
                        .filter(other -> other.reservation().equals(wanted.reservation()))
                        .map(Wanted::demand)
                        .toList();
        LeasePeriod window = claims.claimWindow(wanted.period());
        Set<ResourceId> promised = promisedResources(before, window);
        List<CachedResource> offered = new ArrayList<>();
        for (Allocation allocation : once) {
            Optional<CachedResource> known = inventory.find(allocation.resource());
            if (known.isEmpty()) {
                return Optional.empty();
            }
            if (!inventory.demandServedBy(allocation.resource(), demands).equals(wanted.demand())) {
                continue;
            }
            Share share = allocation.share();
            CachedResource part = share == null ? known.get() : known.get().withShare(share);
            boolean mayBeGranted =
                    promised.contains(part.id())
                            || (part.enrolled() && meets(part, wanted.demand()));
            if (!mayBeGranted || (wanted.running() && isHeldByOthers(wanted, part))) {
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

    private static boolean isBelowMaximum(Demand demand, Collection<CachedResource> offered) {
        return switch (demand) {
            case Demand.Whole whole -> offered.size() < whole.maximum();
            case Demand.Shared _ -> false;
        };
    }

    private static boolean meets(CachedResource resource, Demand demand) {
        // The claim itself checks the rest of a resource.
        return new FreeCapacityFilter(demand.requirement()).dependsOnWindow()
                || InventorySnapshot.meets(resource, demand.kind(), demand.requirement());
    }

    private boolean isHeldByOthers(Wanted wanted, CachedResource resource) {
        boolean shares = resource.allocation().share() != null;
        return !wanted.current().contains(resource.id())
                && holders.holdersOf(resource.id()).stream()
                        .filter(hand -> !hand.reservation().equals(wanted.reservation()))
                        .anyMatch(hand -> !(shares && hand.shares()));
    }

    private static Set<ResourceId> promisedResources(List<Claim> before, LeasePeriod window) {
        return before.stream()
                .filter(claim -> !window.start().isBefore(claim.during().start()))
                .filter(claim -> !window.end().isAfter(claim.during().end()))
                .map(Claim::resource)
                .collect(Collectors.toSet());
    }
}
