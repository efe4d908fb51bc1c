package org.leasehold.command.calendar.timeline;

import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The free capacity of all resources: beside existing claims, and those that a request adds. */
public final class FreeCapacities {

    private final Function<ResourceId, List<Claim>> existingClaims;
    private final Function<ResourceId, List<Claim>> existingShares;
    private final Map<ResourceId, List<Claim>> addedClaims = new HashMap<>();

    public FreeCapacities(Collection<Claim> claims) {
        this(_ -> List.of());
        claims.forEach(this::add);
    }

    /** Creates capacities beside the claims that a function returns; it is called each time. */
    public FreeCapacities(Function<ResourceId, List<Claim>> known) {
        this(known, known);
    }

    /**
     * Creates capacities beside the claims that functions return; they are called each time.
     *
     * @param shares returns at least the claims on parts of a resource
     */
    public FreeCapacities(
            Function<ResourceId, List<Claim>> known, Function<ResourceId, List<Claim>> shares) {
        this.existingClaims = known;
        this.existingShares = shares;
    }

    /** Returns these capacities without one added claim for each given claim; itself for none. */
    public FreeCapacities without(Collection<Claim> removed) {
        if (removed.isEmpty()) {
            return this;
        }
        FreeCapacities capacities = new FreeCapacities(existingClaims, existingShares);
        capacities.addedClaims.putAll(addedClaims);
        removed.forEach(
                claim ->
                        capacities.addedClaims.computeIfPresent(
                                claim.resource(),
                                (_, claims) -> {
                                    List<Claim> left = new ArrayList<>(claims);
                                    left.remove(claim);
                                    return left;
                                }));
        return capacities;
    }

    public void add(Claim claim) {
        addedClaims.computeIfAbsent(claim.resource(), _ -> new ArrayList<>(2)).add(claim);
    }

    /** Returns whether there are claims on parts of a resource in a window. */
    public boolean isShared(ResourceId resource, LeasePeriod window) {
        return hasShare(existingShares.apply(resource), window)
                || hasShare(addedClaims.getOrDefault(resource, List.of()), window);
    }

    private static boolean hasShare(List<Claim> claims, LeasePeriod window) {
        // No stream: each placement asks this of every candidate.
        for (Claim claim : claims) {
            if (claim.share() != null && claim.during().overlaps(window)) {
                return true;
            }
        }
        return false;
    }

    public FreeCapacity ofResource(CachedResource resource) {
        List<Claim> before = existingClaims.apply(resource.id());
        List<Claim> added = addedClaims.getOrDefault(resource.id(), List.of());
        return new FreeCapacity(
                resource,
                added.isEmpty() ? before : Stream.concat(before.stream(), added.stream()).toList());
    }
}
