package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What leases cost by the price plans, also those that are over or deleted. */
public interface Charges {

    /** How much can be asked for at once. */
    Duration LONGEST = Duration.ofDays(366);

    /** Whether there are price plans; where there are none nothing costs anything. */
    boolean hasPlans();

    /**
     * A page of what leases cost in a window, by the id of the lease; a lease that costs nothing is
     * left out, so that a page may be short, or empty, and yet lead on.
     *
     * @throws UnknownMarker if the marker is none that a page gave
     */
    Page<LeaseCharges> page(ListCharges question);

    /**
     * What it would cost if all of a promise were had in time, and to its end.
     *
     * @param promise the events of a lease that somebody could ask for, as they would be decided
     * @param now when that would be
     * @return what is not in a plan's time costs nothing, as far as is known now
     */
    List<Charge> quote(List<? extends LeaseEvent> promise, Instant now);

    /**
     * Which charges.
     *
     * @param project null for all projects
     * @param from what was before is left out, and what reaches into the window cut
     * @param to what is later is left out
     * @param now what comes later than that costs nothing yet
     * @param asOf the position of the last event to be taken into account; null for what is known
     *     now. Plans are those of now
     * @param marker where the page before ended; null for the first page
     * @param limit how many leases at most, 1 to 1000
     */
    record ListCharges(
            @Nullable ProjectId project,
            Instant from,
            Instant to,
            Instant now,
            @Nullable Long asOf,
            @Nullable String marker,
            int limit) {

        public ListCharges {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 leases: " + limit);
            }
            if (!from.isBefore(to) || to.isAfter(from.plus(LONGEST))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }

        /** The same list, continued. */
        public ListCharges after(String place) {
            return new ListCharges(project, from, to, now, asOf, place, limit);
        }
    }

    /** What a lease costs: by reservation, resource and time. */
    record LeaseCharges(LeaseId lease, ProjectId project, List<Charge> charges) {

        public LeaseCharges {
            charges = List.copyOf(charges);
        }
    }
}
