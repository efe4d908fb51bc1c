package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest.Reduce;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.ClaimInsertion;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Handles {@link Reduce}. It chooses nothing: each demand is met by what the reservation holds, the
 * first resources first, or nothing changes. The reservation stays in its tenure.
 */
public final class ReduceHandler {

    private final InventoryCache inventories;
    private final Claims claims;
    private final ClaimInsertion claimInsertion;
    private final Holders holders;

    public ReduceHandler(InventoryCache inventories, Claims claims, Holders holders) {
        this.inventories = inventories;
        this.claims = claims;
        this.claimInsertion = new ClaimInsertion(claims);
        this.holders = holders;
    }

    public Grant.OfReduce reduce(Reduce request) {
        List<Offer> offers = offers(request);
        if (offers.size() < request.demands().size()) {
            release(request, request.leaving());
            return new Grant.NotReduced(List.copyOf(new TreeSet<>(request.leaving())));
        }
        claims.deleteAll(List.of(request.reservation()));
        if (!claimInsertion.insertAllClaims(offers)) {
            throw new CalendarContention("a reservation lost its resources while it got smaller");
        }
        List<Allocation> allocations =
                offers.stream()
                        .flatMap(offer -> offer.resources().stream())
                        .map(CachedResource::allocation)
                        .toList();
        Set<ResourceId> left = new TreeSet<>(request.leaving());
        request.current().forEach(held -> left.add(held.resource()));
        allocations.forEach(kept -> left.remove(kept.resource()));
        release(request, left);
        return new Grant.Reduced(allocations, claims.cleaning(), List.copyOf(left));
    }

    private void release(Reduce request, Set<ResourceId> resources) {
        // An empty set would stand for all resources.
        if (!resources.isEmpty()) {
            holders.release(request.reservation(), resources);
        }
    }

    /** Returns an offer for each demand that held resources meet. */
    private List<Offer> offers(Reduce request) {
        InventorySnapshot inventory = inventories.ofVersion(claims.head().inventoryVersion());
        List<Offer> offers = new ArrayList<>();
        Set<ResourceId> used = new HashSet<>();
        for (Demand demand : request.demands()) {
            List<CachedResource> kept =
                    request.current().stream()
                            .filter(held -> !used.contains(held.resource()))
                            .flatMap(held -> part(demand, held, inventory).stream())
                            .limit(maxResources(demand))
                            .toList();
            if (kept.size() >= minResources(demand)) {
                kept.forEach(resource -> used.add(resource.id()));
                offers.add(offer(request, demand, kept));
            }
        }
        return offers;
    }

    private static int minResources(Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> whole.minimum();
            case Demand.Shared _ -> 1;
        };
    }

    private static int maxResources(Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> whole.maximum();
            case Demand.Shared _ -> 1;
        };
    }

    private Offer offer(Reduce request, Demand demand, List<CachedResource> kept) {
        return new Offer(
                request.lease(),
                request.project(),
                request.reservation(),
                claims.claimWindow(request.period()),
                kept,
                kept.stream().map(CachedResource::id).collect(Collectors.toSet()),
                demand);
    }

    /** Returns the part of a held resource that a demand needs; empty if it is not for it. */
    private static Optional<CachedResource> part(
            Demand demand, Allocation held, InventorySnapshot inventory) {
        return inventory
                .find(held.resource())
                .filter(resource -> resource.kind().equals(demand.kind()))
                .flatMap(
                        resource ->
                                switch (demand) {
                                    // A holder keeps a resource whatever became of it.
                                    case Demand.Whole _ ->
                                            Optional.of(resource).filter(_ -> held.share() == null);
                                    case Demand.Shared shared ->
                                            smallerShare(shared, held, resource);
                                });
    }

    private static Optional<CachedResource> smallerShare(
            Demand.Shared demand, Allocation held, CachedResource resource) {
        return isWithin(demand, held.share())
                        && InventorySnapshot.meets(resource, demand.kind(), demand.requirement())
                ? Optional.of(resource.withShare(new Share(demand.slots(), demand.needs())))
                : Optional.empty();
    }

    private static boolean isWithin(Demand.Shared demand, @Nullable Share held) {
        return held != null
                && demand.slots() <= held.slots()
                && demand.needs().entrySet().stream()
                        .allMatch(
                                need ->
                                        need.getValue()
                                                <= held.needs().getOrDefault(need.getKey(), 0L));
    }
}
