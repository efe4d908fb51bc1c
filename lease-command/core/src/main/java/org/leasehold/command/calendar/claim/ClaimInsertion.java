package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Claims the chosen resources. The exclusion constraint detects a second claim on a whole resource.
 * Shares are added up here, under a lock against other claims on shares of the same resources.
 */
public final class ClaimInsertion {

    private final Claims claims;

    public ClaimInsertion(Claims claims) {
        this.claims = claims;
    }

    /**
     * Claims the offered resources that are free and in service, and returns them; returns empty,
     * and claims nothing, if others took so much of a shared resource that the rest does not
     * suffice.
     */
    public Optional<Map<ReservationId, Set<ResourceId>>> insertClaims(List<Offer> offers) {
        List<ResourceId> shared =
                offers.stream()
                        .flatMap(offer -> offer.resources().stream())
                        .filter(resource -> resource.allocation().share() != null)
                        .map(CachedResource::id)
                        .distinct()
                        .sorted()
                        .toList();
        if (!shared.isEmpty()) {
            claims.lock(shared);
            FreeCapacities capacities =
                    new FreeCapacities(
                            claims.findTouching(
                                    shared,
                                    Claims.hull(offers.stream().map(Offer::window).toList())));
            offers.forEach(offer -> addKeptShares(offer, capacities));
            if (!offers.stream().allMatch(offer -> addShares(offer, capacities))) {
                return Optional.empty();
            }
        }
        return Optional.of(claims.claim(offers));
    }

    /**
     * Claims all offered resources; returns false if one of them is not free, and may then have
     * claimed others.
     */
    public boolean insertAllClaims(List<Offer> offers) {
        int wanted = offers.stream().mapToInt(offer -> offer.resources().size()).sum();
        return insertClaims(offers)
                .filter(all -> all.values().stream().mapToInt(Set::size).sum() == wanted)
                .isPresent();
    }

    /** Adds the shares that are kept in any case: all others must fit beside them. */
    private static void addKeptShares(Offer offer, FreeCapacities capacities) {
        for (CachedResource resource : offer.resources()) {
            if (offer.kept().contains(resource.id()) && resource.allocation().share() != null) {
                capacities.add(claim(offer, resource));
            }
        }
    }

    /** Adds the other shares of an offer; returns false if one of them does not fit. */
    private static boolean addShares(Offer offer, FreeCapacities capacities) {
        FreeCapacityFilter left = new FreeCapacityFilter(offer.demand().requirement());
        for (CachedResource resource : offer.resources()) {
            @Nullable Share share = resource.allocation().share();
            if (share != null && !offer.kept().contains(resource.id())) {
                if (capacities.ofResource(resource).freeSlots(share.needs(), left, offer.window())
                        < share.slots()) {
                    return false;
                }
                capacities.add(claim(offer, resource));
            }
        }
        return true;
    }

    private static Claim claim(Offer offer, CachedResource resource) {
        return new Claim(resource.id(), offer.window(), resource.allocation().share());
    }
}
