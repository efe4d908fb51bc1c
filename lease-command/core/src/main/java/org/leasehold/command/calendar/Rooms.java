package org.leasehold.command.calendar;

import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The rooms on all resources: what is claimed already, and what a request adds to it. */
final class Rooms {

    private final Function<ResourceId, List<Claim>> known;
    private final Map<ResourceId, List<Claim>> claims = new HashMap<>();

    Rooms(Collection<Claim> claims) {
        this(_ -> List.of());
        claims.forEach(this::add);
    }

    /** Takes a function that returns the known claims on a resource, which is asked each time. */
    Rooms(Function<ResourceId, List<Claim>> known) {
        this.known = known;
    }

    /** The same rooms without some of the claims that were added, one for each that is named. */
    Rooms without(Collection<Claim> some) {
        Rooms rooms = new Rooms(known);
        rooms.claims.putAll(claims);
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
        List<Claim> before = known.apply(resource.id());
        List<Claim> added = claims.getOrDefault(resource.id(), List.of());
        return new Room(
                resource,
                added.isEmpty() ? before : Stream.concat(before.stream(), added.stream()).toList());
    }
}
