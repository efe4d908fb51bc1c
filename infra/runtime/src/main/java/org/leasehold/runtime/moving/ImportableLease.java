package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseCommand.ImportLease;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/** A lease to import, with its resources by name. */
record ImportableLease(
        LeaseId id,
        ProjectId project,
        UserId user,
        String name,
        LeasePeriod period,
        @Nullable Instant beforeEnd,
        List<ImportableReservation> reservations,
        LeasePast past) {

    /**
     * A reservation with its resources.
     *
     * @param demand the original demand, with the kind of the resources
     * @param slots the number of slots by resource; empty if the reservation has ended
     */
    record ImportableReservation(ReservationWish wish, Demand demand, Map<String, Integer> slots) {}

    /**
     * Returns the command that imports the lease.
     *
     * @param ids finds all resources that a reservation names
     */
    ImportLease command(Function<ImportableReservation, Map<String, ResourceId>> ids) {
        List<ImportLease.Imported> imported =
                reservations.stream()
                        .map(
                                reservation -> {
                                    Map<String, ResourceId> byName = ids.apply(reservation);
                                    Map<ResourceId, Integer> slots = new TreeMap<>();
                                    reservation
                                            .slots()
                                            .forEach(
                                                    (name, count) ->
                                                            slots.put(
                                                                    Objects.requireNonNull(
                                                                            byName.get(name)),
                                                                    count));
                                    return new ImportLease.Imported(reservation.wish(), slots);
                                })
                        .toList();
        return new ImportLease(id, project, user, name, period, beforeEnd, imported, past);
    }

    @Override
    public String toString() {
        return "lease %s (%s)".formatted(id, name);
    }
}
