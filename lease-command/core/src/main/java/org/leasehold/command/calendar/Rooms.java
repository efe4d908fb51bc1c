package org.leasehold.command.calendar;

import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rooms on all resources: what is claimed in tables, and what a request adds to it. */
final class Rooms {

    private final Map<ResourceId, List<Claim>> claims = new HashMap<>();

    Rooms(Collection<Claim> claims) {
        claims.forEach(this::add);
    }

    private Rooms(Map<ResourceId, List<Claim>> claims) {
        this.claims.putAll(claims);
    }

    /** The same rooms without some claims, one for each that is named. */
    Rooms without(Collection<Claim> some) {
        Rooms rooms = new Rooms(claims);
        some.forEach(
                claim ->
                        rooms.claims.computeIfPresent(
                                claim.resource(),
                                (_, its) -> {
                                    List<Claim> left = new ArrayList<>(its);
                                    left.remove(claim);
                                    return left;
                                }));
        return rooms;
    }

    void add(Claim claim) {
        claims.computeIfAbsent(claim.resource(), _ -> new ArrayList<>(2)).add(claim);
    }

    Room on(KnownResource resource) {
        return new Room(resource, claims.getOrDefault(resource.id(), List.of()));
    }
}
