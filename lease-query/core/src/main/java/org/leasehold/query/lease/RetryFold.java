package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseRetries;
import org.leasehold.readmodel.lease.LeaseRetries.Attempt;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The fold of the events of a lease until it is granted. */
final class RetryFold {

    /** The most attempts in a view: each event rewrites the view. */
    static final int MAX_ATTEMPTS = 20;

    /** The most reasons in a view, besides those of the last attempt. */
    static final int MAX_REASONS = 100;

    private RetryFold() {}

    /**
     * Returns the view after a refused attempt.
     *
     * @param before null at the first attempt
     */
    static LeaseView retried(@Nullable LeaseView before, LeaseRetryScheduled event, Instant at) {
        return new LeaseView(
                event.leaseId(),
                event.projectId(),
                event.userId(),
                event.name(),
                LeaseStatus.RETRYING,
                event.period(),
                event.beforeEnd(),
                "The calendar cannot hold it yet. The next attempt is at %s."
                        .formatted(event.plan().nextAttempt()),
                before == null ? reservations(event.reservations(), at) : before.reservations(),
                List.of(),
                before == null ? at : before.createdAt(),
                before == null ? null : at,
                versionAfter(before),
                new LeaseRetries(
                        attempts(before, new Attempt(at, event.shortages())),
                        event.plan().attemptsLeft(),
                        event.plan().nextAttempt()),
                event.onFailure());
    }

    private static List<Attempt> attempts(@Nullable LeaseView before, Attempt last) {
        List<Attempt> attempts = new ArrayList<>();
        if (before != null && before.retries() != null) {
            attempts.addAll(before.retries().attempts());
        }
        attempts.add(last);
        return withLimitedReasons(
                attempts.subList(Math.max(0, attempts.size() - MAX_ATTEMPTS), attempts.size()));
    }

    /** Removes the reasons of the oldest attempts if there are many; the history has them. */
    private static List<Attempt> withLimitedReasons(List<Attempt> attempts) {
        List<Attempt> kept = new ArrayList<>();
        int reasons = 0;
        for (Attempt attempt : attempts.reversed()) {
            reasons += attempt.shortages().size();
            boolean keeps = kept.isEmpty() || reasons <= MAX_REASONS;
            kept.add(keeps ? attempt : new Attempt(attempt.at(), List.of()));
        }
        return kept.reversed();
    }

    /**
     * Returns the view after the request is granted.
     *
     * @param before null without earlier attempts
     */
    static LeaseView requested(@Nullable LeaseView before, LeaseRequested event, Instant at) {
        return new LeaseView(
                event.leaseId(),
                event.projectId(),
                event.userId(),
                event.name(),
                LeaseStatus.PENDING,
                event.period(),
                event.beforeEnd(),
                null,
                before == null ? reservations(event.reservations(), at) : before.reservations(),
                ScheduledEvents.of(event.leaseId(), event.period(), event.beforeEnd(), at),
                before == null ? at : before.createdAt(),
                before == null ? null : at,
                versionAfter(before),
                before == null ? null : granted(before.retries()),
                event.onFailure());
    }

    private static @Nullable LeaseRetries granted(@Nullable LeaseRetries retries) {
        return retries == null ? null : new LeaseRetries(retries.attempts(), 0, null);
    }

    private static long versionAfter(@Nullable LeaseView before) {
        return before == null ? 1 : before.version() + 1;
    }

    private static List<ReservationView> reservations(List<ReservationWish> wishes, Instant at) {
        return wishes.stream().map(wish -> ReservationViewBuilder.ofRequest(wish, at)).toList();
    }
}
