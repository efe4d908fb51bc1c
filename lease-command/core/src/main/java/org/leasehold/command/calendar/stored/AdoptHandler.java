package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.AdoptedReservation;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.Holders.Hand;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Handles {@link Adopt}. It chooses nothing, so there is nothing to try a second time. It holds
 * resources that are out of service, too: their reservation has them.
 */
public final class AdoptHandler {

    private final InventoryCache inventories;
    private final Claims claims;
    private final Holders holders;

    public AdoptHandler(InventoryCache inventories, Claims claims, Holders holders) {
        this.inventories = inventories;
        this.claims = claims;
        this.holders = holders;
    }

    public Grant.OfAdopt adopt(Adopt request) {
        InventorySnapshot inventory = currentInventory();
        List<Offer> offers = new ArrayList<>();
        for (AdoptedReservation adopted : request.reservations()) {
            List<CachedResource> resources = new ArrayList<>();
            for (Map.Entry<ResourceId, Integer> each : adopted.slots().entrySet()) {
                Optional<CachedResource> known = inventory.find(each.getKey());
                if (known.isEmpty()) {
                    return notFree(
                            adopted.reservation(), "resource " + each.getKey(), "is unknown");
                }
                resources.add(resourceOrShare(known.get(), adopted.demand(), each.getValue()));
            }
            offers.add(offer(request, adopted, resources));
        }
        return findCapacityRefusal(offers).orElseGet(() -> claim(request, offers));
    }

    /**
     * Returns the inventory as the database has it now; the cache may not have a resource that was
     * enrolled a moment ago.
     */
    private InventorySnapshot currentInventory() {
        return inventories.ofVersion(claims.head().inventoryVersion());
    }

    private static CachedResource resourceOrShare(CachedResource whole, Demand demand, int slots) {
        return switch (demand) {
            case Demand.Whole _ -> whole;
            case Demand.Shared shared -> whole.withShare(new Share(slots, shared.needs()));
        };
    }

    private Offer offer(Adopt request, AdoptedReservation adopted, List<CachedResource> resources) {
        return new Offer(
                request.lease(),
                request.project(),
                adopted.reservation(),
                claims.claimWindow(adopted.period()),
                resources,
                Set.copyOf(adopted.slots().keySet()),
                adopted.demand());
    }

    /**
     * Returns the refusal if a shared resource lacks room, else empty. For whole resources, the
     * exclusion constraint detects a second claim.
     */
    private Optional<Grant.OfAdopt> findCapacityRefusal(List<Offer> offers) {
        List<ResourceId> shared =
                offers.stream()
                        .flatMap(offer -> offer.resources().stream())
                        .filter(resource -> resource.allocation().share() != null)
                        .map(CachedResource::id)
                        .distinct()
                        .sorted()
                        .toList();
        if (shared.isEmpty()) {
            return Optional.empty();
        }
        claims.lock(shared);
        LeasePeriod hull = Claims.hull(offers.stream().map(Offer::window).toList());
        FreeCapacities capacities = new FreeCapacities(claims.findTouching(shared, hull));
        for (Offer offer : offers) {
            FreeCapacityFilter left = new FreeCapacityFilter(offer.demand().requirement());
            for (CachedResource resource : offer.resources()) {
                @Nullable Share share = resource.allocation().share();
                if (share != null) {
                    int free =
                            capacities
                                    .ofResource(resource)
                                    .freeSlots(share.needs(), left, offer.window());
                    if (free < share.slots()) {
                        return Optional.of(
                                notFree(
                                        offer.reservation(),
                                        resource.allocation().name(),
                                        "has room for %s slots of %s, not for %s"
                                                .formatted(free, share.needs(), share.slots())));
                    }
                    capacities.add(new Claim(resource.id(), offer.window(), share));
                }
            }
        }
        return Optional.empty();
    }

    private Grant.OfAdopt claim(Adopt request, List<Offer> offers) {
        Map<ReservationId, Set<ResourceId>> claimed = claims.claim(offers);
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        for (Offer offer : offers) {
            Set<ResourceId> got = Objects.requireNonNull(claimed.get(offer.reservation()));
            for (CachedResource resource : offer.resources()) {
                if (!got.contains(resource.id())) {
                    return notFree(
                            offer.reservation(),
                            resource.allocation().name(),
                            "is another reservation's at some time from %s to %s"
                                    .formatted(offer.window().start(), offer.window().end()));
                }
            }
            allocations.put(
                    offer.reservation(),
                    offer.resources().stream().map(CachedResource::allocation).toList());
        }
        return acquireHeld(request, allocations);
    }

    private Grant.OfAdopt acquireHeld(
            Adopt request, Map<ReservationId, List<Allocation>> allocations) {
        Map<ReservationId, List<Allocation>> held = new LinkedHashMap<>();
        request.reservations().stream()
                .filter(AdoptedReservation::held)
                .map(AdoptedReservation::reservation)
                .forEach(id -> held.put(id, Objects.requireNonNull(allocations.get(id))));
        held.values().removeIf(List::isEmpty);
        return findHolderRefusal(held)
                .orElseGet(
                        () ->
                                new Grant.Held(
                                        allocations,
                                        claims.cleaning(),
                                        held.isEmpty()
                                                ? List.of()
                                                : holders.acquire(
                                                        request.lease(), held, request.now())));
    }

    /**
     * Returns the refusal if another reservation still holds a resource beyond its window, because
     * it never released it; else empty. A retry, which helps against a faster command, would not
     * help.
     */
    private Optional<Grant.OfAdopt> findHolderRefusal(Map<ReservationId, List<Allocation>> held) {
        Map<ResourceId, List<Hand>> hands =
                holders.lockHolders(
                        held.values().stream()
                                .flatMap(List::stream)
                                .map(Allocation::resource)
                                .distinct()
                                .sorted()
                                .toList());
        for (Map.Entry<ReservationId, List<Allocation>> each : held.entrySet()) {
            for (Allocation allocation : each.getValue()) {
                for (Hand hand : hands.getOrDefault(allocation.resource(), List.of())) {
                    if (!hand.shares() || allocation.share() == null) {
                        return Optional.of(
                                notFree(
                                        each.getKey(),
                                        allocation.name(),
                                        "is in the hands of reservation " + hand.reservation()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Grant.NotFree notFree(ReservationId reservation, String resource, String why) {
        return new Grant.NotFree(reservation, resource + " " + why);
    }
}
