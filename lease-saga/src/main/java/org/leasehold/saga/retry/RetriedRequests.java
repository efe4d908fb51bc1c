package org.leasehold.saga.retry;

import org.jspecify.annotations.Nullable;
import org.leasehold.saga.Cause;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** The requests that wait for an early attempt. Calls in a transaction take effect with it. */
public interface RetriedRequests {

    /**
     * A request after a refused attempt.
     *
     * @param kinds the kinds of resources that were short
     * @param nextAttempt the time of its next planned attempt
     * @param earlyFrom the earliest time of an early attempt, after the pause that follows the last
     *     one; null if there was none
     * @param cause the event of the attempt; an early one is an action of the same request
     */
    record Waiting(
            LeaseId lease,
            List<String> kinds,
            LeasePeriod window,
            Instant nextAttempt,
            @Nullable Instant earlyFrom,
            Cause cause) {

        public Waiting {
            kinds = List.copyOf(kinds);
        }
    }

    /**
     * A request that is to be tried early.
     *
     * @param due the earliest time at which the freed capacity can help
     * @param cause the event of its last refused attempt
     */
    record Woken(LeaseId lease, Instant due, Cause cause) {}

    /** Lets requests wait. One that is known already waits again, and keeps its age. */
    void await(List<Waiting> requests);

    /** Returns whether a request may be woken by capacity that is freed at an instant or later. */
    boolean isAny(Instant now);

    /**
     * Wakes waiting requests that lack the kind and overlap the window. Those that can be tried now
     * come first. Of these, those without an early attempt come first, then those whose last one is
     * longest ago, and then the oldest: requests that cannot be met do not hold up others. A
     * request is not woken again then, until its next refused attempt, except for an earlier time.
     * One whose planned attempt comes first is not woken.
     *
     * @param now the time at which the capacity was freed
     */
    List<Woken> wake(FreedCapacity freed, Instant now, int limit);

    /**
     * Removes these requests, which are granted, refused or deleted. Removes also others whose
     * planned attempt was due before an instant.
     */
    void remove(Collection<LeaseId> leases, Instant dueBefore);
}
