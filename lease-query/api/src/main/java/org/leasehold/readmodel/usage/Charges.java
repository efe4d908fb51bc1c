package org.leasehold.readmodel.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;

/** The costs of leases by the price plans, also of ended or deleted leases. */
public interface Charges {

    /** The longest window of a query. */
    Duration MAX_WINDOW = Duration.ofDays(366);

    /** Returns whether there are price plans; without them nothing costs anything. */
    boolean hasPlans();

    /**
     * Returns the plan in force at an instant, if any, and all later ones, in the order of time.
     */
    List<ApplicablePlan> plansFrom(Instant instant);

    /**
     * Returns a page of costs of leases in a window, by lease id. A lease without costs is left
     * out, so a page may be short or empty although another one follows.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<LeaseCharges> page(ListCharges question);

    /**
     * Returns the cost of a grant that starts on time and lasts to its end.
     *
     * @param promise the events of a possible lease, as they would be decided
     * @param now the time of that decision
     * @return the charges; time outside all plans costs nothing, as far as is known now
     */
    List<Charge> quote(List<? extends LeaseEvent> promise, Instant now);

    /**
     * A price plan, without prices.
     *
     * @param from the instant from which it is in force, until the next one begins
     */
    record ApplicablePlan(String name, Currency currency, Instant from) {}

    /**
     * A query for charges.
     *
     * @param project null for all projects
     * @param from earlier time is left out; charges that reach into the window are cut
     * @param to later time is left out
     * @param now time after it costs nothing yet
     * @param asOf the position of the last event to include; null for what is known now. The price
     *     plans are always the current ones
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of leases, 1 to 1000
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
            if (!from.isBefore(to) || to.isAfter(from.plus(MAX_WINDOW))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }

        /** Returns the query for the page after a marker. */
        public ListCharges after(String marker) {
            return part(marker, limit);
        }

        /** Returns the query for a page of another size. */
        ListCharges part(@Nullable String marker, int limit) {
            return new ListCharges(project, from, to, now, asOf, marker, limit);
        }
    }

    /** The charges of a lease: by reservation, resource and time. */
    record LeaseCharges(LeaseId lease, ProjectId project, List<Charge> charges) {

        public LeaseCharges {
            charges = List.copyOf(charges);
        }
    }
}
