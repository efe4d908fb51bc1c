package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.CalendarRequest.ReplaceFailed;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.ClaimInsertion;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.Holders.Condition;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Handles {@link Replace}: each claim on a resource out of service moves to another resource, if
 * one is free. The other claims stay as they are. {@link ReplaceFailed} does the same for a running
 * reservation, which becomes the holder of the replacements.
 */
public final class ReplaceHandler {

    private final Claims claims;
    private final ClaimInsertion claimInsertion;
    private final Holders holders;
    private final ReplacementSearch replacementSearch;
    private final ClaimMove claimMove;

    public ReplaceHandler(InventoryCache inventories, Claims claims, Holders holders) {
        this.claims = claims;
        this.claimInsertion = new ClaimInsertion(claims);
        this.holders = holders;
        this.replacementSearch = new ReplacementSearch(inventories, claims);
        this.claimMove = new ClaimMove(claims);
    }

    public Grant.Replaced replace(Replace request) {
        List<UnfitAllocation> outOfService = findOutOfService(request.reservations());
        if (outOfService.isEmpty()) {
            return new Grant.Replaced(List.of());
        }
        return new Grant.Replaced(
                claimMove.move(
                        request.lease(),
                        request.project(),
                        replacementSearch.search(request.reservations(), outOfService, false)));
    }

    public Grant.OfReplaceFailed replace(ReplaceFailed request) {
        Granted running = request.running();
        List<UnfitAllocation> failed =
                findOutOfService(List.of(running)).stream()
                        .filter(unfit -> request.failed().equals(unfit.allocation().resource()))
                        .toList();
        if (failed.isEmpty()) {
            return new Grant.Held(
                    Map.of(running.reservation(), running.allocations()),
                    claims.cleaning(),
                    List.of());
        }
        ReplacementSearch.Found found = replacementSearch.search(List.of(running), failed, true);
        if (found.chosen().isEmpty()) {
            return new Grant.Unserviceable(running.reservation(), failed.getFirst().reason());
        }
        claims.deleteAll(List.of(running.reservation()));
        List<Allocation> allocations = new ArrayList<>();
        List<Allocation> joining = new ArrayList<>();
        List<Offer> offers = new ArrayList<>();
        for (Allocation held : running.allocations()) {
            CachedResource by = found.replacementOf(held);
            CachedResource now = by == null ? kept(held, found.inventory()) : by;
            allocations.add(by == null ? held : by.allocation());
            if (by != null) {
                joining.add(by.allocation());
            }
            offers.add(offer(request, held, now, by == null, found.inventory()));
        }
        if (!claimInsertion.insertAllClaims(offers)) {
            throw new CalendarContention("another reservation took the replacement");
        }
        return new Grant.Held(
                Map.of(running.reservation(), allocations),
                claims.cleaning(),
                renewTenure(request, joining));
    }

    private List<Tenure> renewTenure(ReplaceFailed request, List<Allocation> joining) {
        Granted running = request.running();
        holders.acquire(
                request.lease(), Map.of(running.reservation(), joining), running.period().start());
        return holders.renewTenures(List.of(running.reservation()));
    }

    private Offer offer(
            ReplaceFailed request,
            Allocation before,
            CachedResource now,
            boolean kept,
            InventorySnapshot inventory) {
        Granted running = request.running();
        return new Offer(
                request.lease(),
                request.project(),
                running.reservation(),
                claims.claimWindow(running.period()),
                List.of(now),
                kept ? Set.of(now.id()) : Set.of(),
                inventory.demandServedBy(before.resource(), running.demands()));
    }

    /** Returns a resource with the share that the reservation has of it. */
    private static CachedResource kept(Allocation held, InventorySnapshot inventory) {
        CachedResource resource = inventory.find(held.resource()).orElseThrow();
        Share share = held.share();
        return share == null ? resource : resource.withShare(share);
    }

    /** Returns the granted resources out of service; none changes before the transaction ends. */
    private List<UnfitAllocation> findOutOfService(List<Granted> reservations) {
        Map<ResourceId, Condition> conditions =
                holders.lockConditions(Granted.resources(reservations));
        List<UnfitAllocation> found = new ArrayList<>();
        for (Granted granted : reservations) {
            for (Allocation allocation : granted.allocations()) {
                Condition condition = Objects.requireNonNull(conditions.get(allocation.resource()));
                if (!condition.inService()) {
                    found.add(UnfitAllocation.outOfService(granted, allocation, condition));
                }
            }
        }
        return found;
    }
}
