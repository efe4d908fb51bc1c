package org.leasehold.command.calendar.claim;

import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The calendar as one statement read it.
 *
 * @param inventoryVersion the version of the inventory in the same snapshot
 * @param position the last event in the same snapshot
 * @param claimed the claimed resources by requested window
 * @param held the resources with a holder; empty unless requested
 * @param claims the number of claims by resource; empty unless requested
 */
public record CalendarSnapshot(
        long inventoryVersion,
        long position,
        Map<LeasePeriod, Set<ResourceId>> claimed,
        Set<ResourceId> held,
        Map<ResourceId, Integer> claims)
        implements ResourceOccupancy {

    @Override
    public boolean isFree(ResourceId resource, LeasePeriod window) {
        return !Objects.requireNonNull(claimed.get(window)).contains(resource);
    }

    @Override
    public boolean isHeld(ResourceId resource) {
        return held.contains(resource);
    }

    @Override
    public int claimsOn(ResourceId resource) {
        return claims.getOrDefault(resource, 0);
    }

    /**
     * The query of a snapshot: its windows, and whether it includes holders and numbers of claims.
     */
    public record Question(Set<LeasePeriod> windows, boolean holders, boolean counts) {}
}
