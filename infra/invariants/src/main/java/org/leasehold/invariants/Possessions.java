package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Who has which resource in his hands, and had it from when to when. */
public final class Possessions {

    private final Map<ResourceId, Possession> present = new TreeMap<>();
    private final List<Possession> past = new ArrayList<>();

    /** A reservation had a resource in its hands. */
    public record Possession(
            ResourceId resource, ReservationId reservation, Instant from, Instant until) {

        public boolean isAt(Instant instant) {
            return !instant.isBefore(from) && instant.isBefore(until);
        }
    }

    /** Which reservation has the resource; null if none. */
    public @Nullable ReservationId holder(ResourceId resource) {
        Possession possession = present.get(resource);
        return possession == null ? null : possession.reservation();
    }

    /** What is in anybody's hands now. */
    public List<Possession> present() {
        return List.copyOf(present.values());
    }

    /** All there ever were. */
    public Stream<Possession> all() {
        return Stream.concat(past.stream(), present.values().stream());
    }

    List<ResourceId> heldBy(ReservationId reservation) {
        return present.values().stream()
                .filter(possession -> possession.reservation().equals(reservation))
                .map(Possession::resource)
                .toList();
    }

    /** Says who has the resource, if it is another reservation, which keeps it. */
    @Nullable ReservationId take(ResourceId resource, ReservationId reservation, Instant at) {
        Possession possession =
                present.computeIfAbsent(
                        resource, _ -> new Possession(resource, reservation, at, Instant.MAX));
        return possession.reservation().equals(reservation) ? null : possession.reservation();
    }

    /** Says since when the reservation had the resource; null if it did not. */
    @Nullable Instant letGo(ResourceId resource, ReservationId reservation, Instant at) {
        if (!reservation.equals(holder(resource))) {
            return null;
        }
        Possession over = Objects.requireNonNull(present.remove(resource));
        past.add(new Possession(resource, reservation, over.from(), at));
        return over.from();
    }
}
