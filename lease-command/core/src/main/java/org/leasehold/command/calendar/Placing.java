package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.Choice.Suitors;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.Share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Places the slots of one reservation: where it has some already, then where others have some, then
 * where nobody has anything, so that as many resources as possible stay whole.
 */
final class Placing {

    private static final int RANKS = 4;

    private final Demand.Shared demand;
    private final Left left;
    private final LeasePeriod window;
    private final Inventory inventory;
    private final Rooms rooms;
    private final Map<ResourceId, Share> before;

    /**
     * Places slots in the rooms that are left.
     *
     * @param before what the reservation had on which resource; not in the rooms any more
     */
    Placing(
            Demand.Shared demand,
            LeasePeriod window,
            Inventory inventory,
            Rooms rooms,
            List<Claim> before) {
        this.demand = demand;
        this.left = new Left(demand.requirement());
        this.window = window;
        this.inventory = inventory;
        this.rooms = rooms;
        this.before = new LinkedHashMap<>();
        before.stream()
                .sorted(Comparator.comparing(Claim::resource))
                .forEach(
                        claim -> {
                            Share share = claim.share();
                            if (share != null) {
                                this.before.put(claim.resource(), share);
                            }
                        });
    }

    /** The slots per resource, and why they are where they are. */
    record Placed(Suitors suitors, Map<ResourceId, Share> parts) {}

    /** Places all slots anew. */
    Placed place(Predicate<ResourceId> allowed) {
        Map<ResourceId, Integer> slots = new LinkedHashMap<>();
        fill(slots, candidates(allowed));
        return new Placed(new Suitors(List.of(), List.of(), Set.of(), List.of()), parts(slots));
    }

    /**
     * Leaves the slots of a running reservation where they are, and places what is wanted beside.
     *
     * @param promised where it may stay in any case
     */
    Placed extend(Predicate<ResourceId> allowed, Set<ResourceId> promised) {
        Map<ResourceId, Integer> slots = new LinkedHashMap<>();
        List<ResourceId> lost = new ArrayList<>();
        before.forEach(
                (id, had) -> {
                    if ((promised.contains(id) && had.needs().equals(demand.needs()))
                            || inventory.find(id).filter(r -> fits(r, had.slots())).isPresent()) {
                        slots.put(id, had.slots());
                    } else {
                        lost.add(id);
                    }
                });
        fill(slots, candidates(allowed));
        Set<ResourceId> unchanged =
                promised.stream()
                        .filter(
                                id ->
                                        slots.containsKey(id)
                                                && new Share(slots.get(id), demand.needs())
                                                        .equals(before.get(id)))
                        .collect(Collectors.toSet());
        List<ResourceId> kept = before.keySet().stream().filter(slots::containsKey).toList();
        return new Placed(new Suitors(kept, lost, unchanged, List.of()), parts(slots));
    }

    private boolean fits(KnownResource resource, int slots) {
        return resource.enrolled()
                && (left.matters()
                        || Inventory.meets(resource, demand.kind(), demand.requirement()))
                && room(resource) >= slots;
    }

    private int room(KnownResource resource) {
        return rooms.on(resource).slots(demand.needs(), left, window);
    }

    private List<KnownResource> candidates(Predicate<ResourceId> allowed) {
        List<List<KnownResource>> ranked =
                Stream.generate(() -> (List<KnownResource>) new ArrayList<KnownResource>())
                        .limit(RANKS)
                        .toList();
        for (KnownResource resource : inventory.candidates(demand)) {
            if (allowed.test(resource.id())) {
                ranked.get(rank(resource)).add(resource);
            }
        }
        return ranked.stream().flatMap(List::stream).toList();
    }

    /** Below {@link #RANKS}; the lowest comes first. */
    private int rank(KnownResource resource) {
        int own = before.containsKey(resource.id()) ? 0 : 2;
        return own + (rooms.on(resource).isShared(window) ? 0 : 1);
    }

    /** Adds what is still missing, or as much of it as there is room for. */
    private void fill(Map<ResourceId, Integer> slots, List<KnownResource> candidates) {
        int missing = demand.slots() - slots.values().stream().mapToInt(Integer::intValue).sum();
        for (KnownResource candidate : candidates) {
            if (missing <= 0) {
                return;
            }
            int had = slots.getOrDefault(candidate.id(), 0);
            int more =
                    switch (demand.spread()) {
                        case ANYWHERE -> Math.min(room(candidate) - had, missing);
                        case APART -> had == 0 ? Math.min(room(candidate), 1) : 0;
                        case TOGETHER ->
                                (slots.isEmpty() || had > 0) && room(candidate) - had >= missing
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
        Map<ResourceId, Share> parts = new LinkedHashMap<>();
        slots.forEach((id, count) -> parts.put(id, new Share(count, demand.needs())));
        return parts;
    }
}
