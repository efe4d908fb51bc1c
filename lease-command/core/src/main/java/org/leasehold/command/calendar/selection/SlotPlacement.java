package org.leasehold.command.calendar.selection;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.selection.SelectedResources.Suitors;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Places the slots of one reservation. It prefers resources on which the reservation has slots,
 * then those on which others have some, then empty ones, so that many resources stay whole.
 */
final class SlotPlacement {

    private static final int RANKS = 4;

    private final Demand.Shared demand;
    private final FreeCapacityFilter capacityFilter;
    private final LeasePeriod window;
    private final InventorySnapshot inventory;
    private final FreeCapacities freeCapacities;
    private final Map<ResourceId, Share> earlierShares;

    /**
     * Creates a placement in the remaining free capacity.
     *
     * @param before the earlier slots of the reservation by resource; the free capacity includes
     *     them
     */
    SlotPlacement(
            Demand.Shared demand,
            LeasePeriod window,
            InventorySnapshot inventory,
            FreeCapacities capacities,
            List<Claim> before) {
        this.demand = demand;
        this.capacityFilter = new FreeCapacityFilter(demand.requirement());
        this.window = window;
        this.inventory = inventory;
        this.freeCapacities = capacities;
        this.earlierShares = new LinkedHashMap<>();
        before.stream()
                .sorted(Comparator.comparing(Claim::resource))
                .forEach(
                        claim -> {
                            Share share = claim.share();
                            if (share != null) {
                                this.earlierShares.put(claim.resource(), share);
                            }
                        });
    }

    /** The slots per resource, and the reasons for their places. */
    record Placed(Suitors suitors, Map<ResourceId, Share> parts) {}

    /** Assigns all slots, wherever they were before. */
    Placed assignAll(Predicate<ResourceId> allowed) {
        Map<ResourceId, Integer> slots = new LinkedHashMap<>();
        addMissingSlots(slots, candidates(allowed));
        return new Placed(new Suitors(List.of(), List.of(), Set.of(), List.of()), parts(slots));
    }

    /**
     * Leaves the slots of a running reservation where they are, and places additional ones.
     *
     * @param promised the resources on which it may stay in any case
     */
    Placed extend(Predicate<ResourceId> allowed, Set<ResourceId> promised) {
        Map<ResourceId, Integer> slots = new LinkedHashMap<>();
        List<ResourceId> lost = new ArrayList<>();
        earlierShares.forEach(
                (id, had) -> {
                    if ((promised.contains(id) && had.needs().equals(demand.needs()))
                            || inventory.find(id).filter(r -> fits(r, had.slots())).isPresent()) {
                        slots.put(id, had.slots());
                    } else {
                        lost.add(id);
                    }
                });
        addMissingSlots(slots, candidates(allowed));
        Set<ResourceId> unchanged =
                promised.stream()
                        .filter(
                                id ->
                                        slots.containsKey(id)
                                                && new Share(slots.get(id), demand.needs())
                                                        .equals(earlierShares.get(id)))
                        .collect(Collectors.toSet());
        List<ResourceId> kept = earlierShares.keySet().stream().filter(slots::containsKey).toList();
        return new Placed(new Suitors(kept, lost, unchanged, List.of()), parts(slots));
    }

    private boolean fits(CachedResource resource, int slots) {
        return resource.enrolled()
                && (capacityFilter.dependsOnWindow()
                        || InventorySnapshot.meets(resource, demand.kind(), demand.requirement()))
                && freeSlots(resource) >= slots;
    }

    private int freeSlots(CachedResource resource) {
        return freeCapacities
                .ofResource(resource)
                .freeSlots(demand.needs(), capacityFilter, window);
    }

    private List<CachedResource> candidates(Predicate<ResourceId> allowed) {
        List<List<CachedResource>> ranked =
                Stream.generate(() -> (List<CachedResource>) new ArrayList<CachedResource>())
                        .limit(RANKS)
                        .toList();
        for (CachedResource resource : inventory.findCandidates(demand)) {
            if (allowed.test(resource.id())) {
                ranked.get(rank(resource)).add(resource);
            }
        }
        return ranked.stream().flatMap(List::stream).toList();
    }

    /** Returns the rank of a resource, below {@link #RANKS}; the lowest comes first. */
    private int rank(CachedResource resource) {
        int own = earlierShares.containsKey(resource.id()) ? 0 : 2;
        return own + (freeCapacities.isShared(resource.id(), window) ? 0 : 1);
    }

    /** Adds the missing slots, or as many of them as there is room for. */
    private void addMissingSlots(Map<ResourceId, Integer> slots, List<CachedResource> candidates) {
        int missing = demand.slots() - slots.values().stream().mapToInt(Integer::intValue).sum();
        for (CachedResource candidate : candidates) {
            if (missing <= 0) {
                return;
            }
            int had = slots.getOrDefault(candidate.id(), 0);
            int more =
                    switch (demand.spread()) {
                        case ANYWHERE -> Math.min(freeSlots(candidate) - had, missing);
                        case APART -> had == 0 ? Math.min(freeSlots(candidate), 1) : 0;
                        case TOGETHER ->
                                (slots.isEmpty() || had > 0)
                                                && freeSlots(candidate) - had >= missing
                                        ? missing
                                        : 0;
                    };
            if (more > 0) {
                slots.put(candidate.id(), had + more);
                missing -= more;
            }
        }
    }

    private Map<ResourceId, Share> parts(Map<ResourceId, Integer> slots) {
        Map<Integer, Share> shares = new HashMap<>();
        Map<ResourceId, Share> parts = new LinkedHashMap<>();
        slots.forEach(
                (id, count) ->
                        parts.put(
                                id,
                                shares.computeIfAbsent(
                                        count, _ -> new Share(count, demand.needs()))));
        return parts;
    }
}
