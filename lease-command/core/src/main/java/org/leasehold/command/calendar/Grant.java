package org.leasehold.command.calendar;

import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The calendar's answer to a request. */
public sealed interface Grant {

    /** The answer to {@link CalendarRequest.Hold}. */
    sealed interface OfHold extends Grant {}

    /** The answer to {@link CalendarRequest.TakeUp}. */
    sealed interface OfTakeUp extends Grant {}

    /** The answer to {@link CalendarRequest.Adopt}. */
    sealed interface OfAdopt extends Grant {}

    /** The answer to {@link CalendarRequest.ReplaceFailed}. */
    sealed interface OfReplaceFailed extends Grant {}

    /** The answer to {@link CalendarRequest.Reduce}. */
    sealed interface OfReduce extends Grant {}

    /** The answer to a request that is done, or has nothing to do. */
    record Done() implements Grant {}

    /**
     * The grant of a hold, of an import, or of a replacement in a running reservation.
     *
     * @param allocations per reservation, in the order of the request
     * @param cleaning how much longer than requested the resources are held
     * @param tenures new tenures of those running reservations that gain or lose resources
     */
    record Held(
            Map<ReservationId, List<Allocation>> allocations,
            Duration cleaning,
            List<Tenure> tenures)
            implements OfHold, OfAdopt, OfReplaceFailed {

        public Held {
            allocations = Collections.unmodifiableMap(new LinkedHashMap<>(allocations));
            tenures = List.copyOf(tenures);
        }
    }

    /**
     * The refusal of a hold.
     *
     * @param asOf the event position at which the shortages were true
     */
    record HoldRefused(List<Shortage> shortages, long asOf) implements OfHold {

        public HoldRefused {
            shortages = List.copyOf(shortages);
        }
    }

    /** The grant of a hand-over: the reservations are the holders now. */
    record TakenUp(List<Tenure> tenures, List<Replacement> replacements) implements OfTakeUp {

        public TakenUp {
            tenures = List.copyOf(tenures);
            replacements = List.copyOf(replacements);
        }
    }

    /** The replacements of resources out of service; those without one stay granted. */
    record Replaced(List<Replacement> replacements) implements Grant {

        public Replaced {
            replacements = List.copyOf(replacements);
        }
    }

    /**
     * Another resource that replaces one that cannot serve.
     *
     * @param reason why it cannot; names the resource
     */
    record Replacement(
            ReservationId reservation, ResourceId replaced, Allocation by, String reason) {}

    /**
     * The answer if resources have other holders still, and no others can replace them.
     *
     * @param holders the reservations that have not released them yet
     * @param reason names the resources
     */
    record Awaited(List<ReservationId> holders, String reason) implements OfTakeUp {

        public Awaited {
            holders = List.copyOf(holders);
        }
    }

    /**
     * The refusal of an import: a resource cannot be held here.
     *
     * @param reason names the resource and why
     */
    record NotFree(ReservationId reservation, String reason) implements OfAdopt {}

    /**
     * The answer if a resource is out of service, and no other can replace it.
     *
     * @param reason names the resource and why it cannot serve
     */
    record Unserviceable(ReservationId reservation, String reason)
            implements OfTakeUp, OfReplaceFailed {}

    /**
     * The smaller grant of a reservation.
     *
     * @param allocations all that it holds from now on
     * @param cleaning how much longer than requested the resources are held
     * @param left the resources that it released
     */
    record Reduced(List<Allocation> allocations, Duration cleaning, List<ResourceId> left)
            implements OfReduce {

        public Reduced {
            allocations = List.copyOf(allocations);
            left = List.copyOf(left);
        }
    }

    /**
     * The answer if the resources of a reservation do not meet its smaller demands, because the
     * cloud or an operator changed them.
     *
     * @param left the resources that it had lost before, and released now
     */
    record NotReduced(List<ResourceId> left) implements OfReduce {

        public NotReduced {
            left = List.copyOf(left);
        }
    }
}
