package org.leasehold.readmodel.refusal;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Requests of leases, and of changes of leases, that the calendar could not hold. */
public interface Refusals {

    /** The name of the read model behind it, for {@link ProjectionOffsets}. */
    String READ_MODEL = EventFeed.READ_MODEL;

    /** The longest window of a query. */
    Duration MAX_WINDOW = Duration.ofDays(366);

    /** The largest number of refusals of a page. */
    int MAX_PAGE_SIZE = 100;

    /** The largest number of refusals that are counted: the newest of the window. */
    int MAX_COUNTED = 10_000;

    /**
     * Returns a page of refusals, newest first.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<Refusal> page(ListRefusals question);

    /** Counts the newest refusals of the window, by kind and reason. */
    List<RefusalCount> count(ListRefusals question);

    /**
     * A query for refusals.
     *
     * @param project null for all projects
     * @param from the earliest time of the refusal, inclusive
     * @param to the latest time, exclusive; at most {@link #MAX_WINDOW} later
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of refusals, 1 to {@link #MAX_PAGE_SIZE}
     */
    record ListRefusals(
            @Nullable ProjectId project,
            Instant from,
            Instant to,
            @Nullable String marker,
            int limit) {

        public ListRefusals {
            if (limit < 1 || limit > MAX_PAGE_SIZE) {
                throw new IllegalArgumentException("a page has 1 to 100 refusals: " + limit);
            }
            if (!from.isBefore(to) || to.isAfter(from.plus(MAX_WINDOW))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }
    }

    /**
     * A refusal.
     *
     * @param position of its event
     * @param isChange whether a change of an existing lease was refused
     * @param user the user who requested it; null if the engine did
     * @param at the time of the decision
     * @param period the requested window
     * @param reservations the requested reservations
     */
    record Refusal(
            long position,
            LeaseId lease,
            ProjectId project,
            boolean isChange,
            @Nullable UserId user,
            Instant at,
            LeasePeriod period,
            List<ReservationWish> reservations,
            List<Shortage> shortages) {

        public Refusal {
            reservations = List.copyOf(reservations);
            shortages = List.copyOf(shortages);
        }
    }

    /** The reason of a shortage. */
    enum Reason {
        /** Fewer resources meet the requirement than were requested, whenever it is. */
        NOT_ENOUGH_MATCHING,
        /** Enough resources meet the requirement, but others have too many of them then. */
        NOT_ENOUGH_FREE
    }

    /**
     * The number of refusals with a shortage.
     *
     * @param kind of the resources that are short
     */
    record RefusalCount(ResourceKind kind, Reason reason, int refusals) {}
}
