package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The holders of resources, with the times at which they began and ended. */
public final class Holdings {

    private final Map<ResourceId, Possession> present = new TreeMap<>();
    private final List<Possession> past = new ArrayList<>();

    /** A period in which a reservation held a resource. */
    public record Possession(
            ResourceId resource, ReservationId reservation, Instant from, Instant until) {

        public boolean isAt(Instant instant) {
            return !instant.isBefore(from) && instant.isBefore(until);
        }
    }

    /** Returns the reservation that has the resource; null if none. */
    public @Nullable ReservationId holder(ResourceId resource) {
        Possession possession = present.get(resource);
        return possession == null ? null : possession.reservation();
    }

    /** Returns the present holders. */
    public List<Possession> present() {
        return List.copyOf(present.values());
    }

    /** Returns all present and past holders. */
    public Stream<Possession> all() {
        return Stream.concat(past.stream(), present.values().stream());
    }

    List<ResourceId> heldBy(ReservationId reservation) {
        return present.values().stream()
                .filter(possession -> possession.reservation().equals(reservation))
                .map(Possession::resource)
                .toList();
    }

    /** Gives the resource to a reservation; returns another holder, which keeps it, or null. */
    @Nullable ReservationId addHolder(ResourceId resource, ReservationId reservation, Instant at) {
        Possession possession =
                present.computeIfAbsent(
                        resource, _ -> new Possession(resource, reservation, at, Instant.MAX));
        return possession.reservation().equals(reservation) ? null : possession.reservation();
    }

    /** Ends a holder; returns the instant at which it began, or null if it was none. */
    @Nullable Instant removeHolder(ResourceId resource, ReservationId reservation, Instant at) {
        if (!reservation.equals(holder(resource))) {
            return null;
        }
        Possession over = Objects.requireNonNull(present.remove(resource));
        past.add(new Possession(resource, reservation, over.from(), at));
        return over.from();
    }
}
