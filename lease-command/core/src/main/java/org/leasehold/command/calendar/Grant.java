package org.leasehold.command.calendar;

import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the calendar answered. */
public sealed interface Grant {

    /** It was done, or there was nothing to do. */
    record Done() implements Grant {}

    /**
     * It is held.
     *
     * @param allocations per reservation, in the order of the request
     * @param cleaning how much longer than asked the resources are held
     * @param tenures new tenures of those running reservations that gain or lose resources
     */
    record Held(
            Map<ReservationId, List<Allocation>> allocations,
            Duration cleaning,
            List<Tenure> tenures)
            implements Grant {

        public Held {
            allocations = Collections.unmodifiableMap(new LinkedHashMap<>(allocations));
            tenures = List.copyOf(tenures);
        }
    }

    /**
     * It cannot be held.
     *
     * @param asOf the event position at which the shortages were true
     */
    record TooFew(List<Shortage> shortages, long asOf) implements Grant {

        public TooFew {
            shortages = List.copyOf(shortages);
        }
    }

    /** The reservations are the holders now. */
    record TakenUp(List<Tenure> tenures, List<Replacement> replacements) implements Grant {

        public TakenUp {
            tenures = List.copyOf(tenures);
            replacements = List.copyOf(replacements);
        }
    }

    /**
     * Another resource in the place of one that cannot serve.
     *
     * @param reason why it cannot; names the resource
     */
    record Replacement(
            ReservationId reservation, ResourceId replaced, Allocation by, String reason) {}

    /**
     * Resources are still in other hands, and no others can take their place.
     *
     * @param holders the reservations that have yet to let go
     * @param reason names the resources
     */
    record Awaited(List<ReservationId> holders, String reason) implements Grant {

        public Awaited {
            holders = List.copyOf(holders);
        }
    }

    /**
     * What a reservation has elsewhere cannot be held here.
     *
     * @param reason names the resource and why
     */
    record NotFree(ReservationId reservation, String reason) implements Grant {}

    /**
     * A resource is out of service, and no other can take its place.
     *
     * @param reason names the resource and why it cannot serve
     */
    record Unserviceable(ReservationId reservation, String reason) implements Grant {}
}
