package org.leasehold.command.calendar;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What one statement saw of the calendar.
 *
 * @param inventoryVersion the version of the inventory in the same snapshot
 * @param position the last event in the same snapshot
 * @param claimed per window that was asked for: which resources are claimed in it
 * @param held who has a holder; empty unless asked for
 * @param claims how many claims resources have; empty unless asked for
 */
record Snapshot(
        long inventoryVersion,
        long position,
        Map<LeasePeriod, Set<ResourceId>> claimed,
        Set<ResourceId> held,
        Map<ResourceId, Integer> claims)
        implements Occupation {

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

    /** What to look at: windows, and whether to count claims and to see who has a holder. */
    record Question(Set<LeasePeriod> windows, boolean holders, boolean counts) {}
}
