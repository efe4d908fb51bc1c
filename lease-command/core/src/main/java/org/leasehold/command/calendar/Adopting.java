package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.CalendarRequest.Adopted;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.command.calendar.Holders.Hand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Carries out {@link Adopt}: nothing is chosen, so that there is nothing to try a second time. What
 * is out of service is held all the same: its reservation has it.
 */
final class Adopting {

    private final Inventories inventories;
    private final Claims claims;
    private final Holders holders;

    Adopting(Inventories inventories, Claims claims, Holders holders) {
        this.inventories = inventories;
        this.claims = claims;
        this.holders = holders;
    }

    Grant adopt(Adopt request) {
        Inventory inventory = asItIsNow();
        List<Offer> offers = new ArrayList<>();
        for (Adopted adopted : request.reservations()) {
            List<KnownResource> resources = new ArrayList<>();
            for (Map.Entry<ResourceId, Integer> each : adopted.slots().entrySet()) {
                Optional<KnownResource> known = inventory.find(each.getKey());
                if (known.isEmpty()) {
                    return notFree(
                            adopted.reservation(), "resource " + each.getKey(), "is unknown");
                }
                resources.add(part(known.get(), adopted.demand(), each.getValue()));
            }
            offers.add(offer(request, adopted, resources));
        }
        return withoutRoom(offers).orElseGet(() -> claim(request, offers));
    }

    /** That a resource was enrolled a moment ago, memory may not know. */
    private Inventory asItIsNow() {
        Inventory latest = inventories.latest();
        return latest.version() == claims.head().inventoryVersion() ? latest : inventories.reload();
    }

    private static KnownResource part(KnownResource whole, Demand demand, int slots) {
        return switch (demand) {
            case Demand.Whole _ -> whole;
            case Demand.Shared shared -> whole.part(new Share(slots, shared.needs()));
        };
    }

    private Offer offer(Adopt request, Adopted adopted, List<KnownResource> resources) {
        return new Offer(
                request.lease(),
                request.project(),
                adopted.reservation(),
                claims.toClaim(adopted.period()),
                resources,
                Set.copyOf(adopted.slots().keySet()),
                adopted.demand());
    }

    /** That whole resources are promised only once is the constraint's to see. */
    private Optional<Grant> withoutRoom(List<Offer> offers) {
        List<ResourceId> shared =
                offers.stream()
                        .flatMap(offer -> offer.resources().stream())
                        .filter(resource -> resource.allocation().share() != null)
                        .map(KnownResource::id)
                        .distinct()
                        .sorted()
                        .toList();
        if (shared.isEmpty()) {
            return Optional.empty();
        }
        claims.lock(shared);
        LeasePeriod hull = Claims.hull(offers.stream().map(Offer::window).toList());
        Rooms rooms = new Rooms(claims.on(shared, hull));
        for (Offer offer : offers) {
            Left left = new Left(offer.demand().requirement());
            for (KnownResource resource : offer.resources()) {
                @Nullable Share share = resource.allocation().share();
                if (share != null) {
                    int free = rooms.on(resource).slots(share.needs(), left, offer.window());
                    if (free < share.slots()) {
                        return Optional.of(
                                notFree(
                                        offer.reservation(),
                                        resource.allocation().name(),
                                        "has room for %s slots of %s, not for %s"
                                                .formatted(free, share.needs(), share.slots())));
                    }
                    rooms.add(new Claim(resource.id(), offer.window(), share));
                }
            }
        }
        return Optional.empty();
    }

    private Grant claim(Adopt request, List<Offer> offers) {
        Map<ReservationId, Set<ResourceId>> claimed = claims.claim(offers);
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        for (Offer offer : offers) {
            Set<ResourceId> got = Objects.requireNonNull(claimed.get(offer.reservation()));
            for (KnownResource resource : offer.resources()) {
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
                    offer.resources().stream().map(KnownResource::allocation).toList());
        }
        return takeUp(request, allocations);
    }

    private Grant takeUp(Adopt request, Map<ReservationId, List<Allocation>> allocations) {
        Map<ReservationId, List<Allocation>> held = new LinkedHashMap<>();
        request.reservations().stream()
                .filter(Adopted::held)
                .map(Adopted::reservation)
                .forEach(id -> held.put(id, Objects.requireNonNull(allocations.get(id))));
        held.values().removeIf(List::isEmpty);
        return inOtherHands(held)
                .orElseGet(
                        () ->
                                new Grant.Held(
                                        allocations,
                                        claims.cleaning(),
                                        held.isEmpty()
                                                ? List.of()
                                                : holders.takeUp(
                                                        request.lease(), held, request.now())));
    }

    /**
     * Whoever has a resource beyond its window, because it was never taken back from it. Trying
     * once more, which is the cure where somebody was faster, would not help.
     */
    private Optional<Grant> inOtherHands(Map<ReservationId, List<Allocation>> held) {
        Map<ResourceId, List<Hand>> hands =
                holders.lock(
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

    private static Grant notFree(ReservationId reservation, String resource, String why) {
        return new Grant.NotFree(reservation, resource + " " + why);
    }
}
