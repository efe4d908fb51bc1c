package org.leasehold.command.calendar.refusal;

import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The pending searches for the next starts of refused holds. The deciding thread only stores them;
 * the thread that answers the request runs them.
 */
public final class PendingStartSearches implements RefusalConfirmation.Refusals {

    /** The longest wait for memory; by then the database would have answered. */
    private static final Duration MEMORY_TIMEOUT = Duration.ofMillis(50);

    /**
     * The number of searches that read the tables at a time: each may read many thousand claims.
     */
    private static final int MAX_CONCURRENT_SURVEYS = 2;

    /** The longest wait of a request for its search. */
    private static final Duration MAX_WAIT = Duration.ofMillis(200);

    private final Claims claims;
    private final CalendarMemory memory;
    private final Semaphore surveys;
    private final Duration maxWait;
    private final ThreadLocal<UnaryOperator<List<Shortage>>> lastSearch =
            ThreadLocal.withInitial(UnaryOperator::identity);

    public PendingStartSearches(Claims claims, CalendarMemory memory) {
        this(claims, memory, new Semaphore(MAX_CONCURRENT_SURVEYS), MAX_WAIT);
    }

    /**
     * Creates the searches of a node.
     *
     * @param surveys has a permit for each search that may read the tables
     * @param longestWait the longest wait for such a permit, after which a search is left out
     */
    PendingStartSearches(
            Claims claims, CalendarMemory memory, Semaphore surveys, Duration longestWait) {
        this.claims = claims;
        this.memory = memory;
        this.surveys = surveys;
        this.maxWait = longestWait;
    }

    /** Stores the search of the thread's refused command; returns the refusal unchanged. */
    @Override
    public Grant.HoldRefused handleRefusal(
            Grant.HoldRefused refused, StartSearch search, List<Claim> own) {
        lastSearch.set(shortages -> complete(search, own, refused.asOf(), shortages));
        return refused;
    }

    /**
     * Returns the search of the calling thread's last refusal, for the shortages of that refusal.
     * Any thread may run it, outside a transaction.
     */
    public UnaryOperator<List<Shortage>> takeLastSearch() {
        UnaryOperator<List<Shortage>> search = lastSearch.get();
        lastSearch.remove();
        return search;
    }

    private List<Shortage> complete(
            StartSearch search, List<Claim> own, long asOf, List<Shortage> shortages) {
        if (!search.hasSearchableDemands()) {
            return shortages;
        }
        if (search.hasFreeTimes()
                || (search.isMemorySufficient() && memory.awaitPosition(asOf, MEMORY_TIMEOUT))) {
            return search.addNextStarts(shortages, memory.index());
        }
        try {
            if (!surveys.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS)) {
                return shortages;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return shortages;
        }
        try {
            return search.addNextStarts(shortages, claims, own);
        } finally {
            surveys.release();
        }
    }
}
