package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The resources that a request adopts for one reservation.
 *
 * @param demand the demand that they were chosen for
 * @param slots the slots by resource; the number is irrelevant where it has the whole
 * @param held whether it has them in the cloud
 */
public record AdoptedReservation(
        ReservationId reservation,
        Demand demand,
        LeasePeriod period,
        Map<ResourceId, Integer> slots,
        boolean held) {

    public AdoptedReservation {
        slots = Collections.unmodifiableMap(new TreeMap<>(slots));
    }
}
