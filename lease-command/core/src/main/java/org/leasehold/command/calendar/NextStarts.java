package org.leasehold.command.calendar;

import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.FreeTime.Claim;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The searches for the next starts of holds that were refused. The deciding thread only remembers
 * them; the thread that answers the request runs them.
 */
public final class NextStarts implements Refusing.Refusals {

    /** By then the database would have answered. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    /** So many searches read the tables at a time: each may read many thousand claims. */
    private static final int SURVEYS = 2;

    /** A request waits no longer for its turn to search. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(200);

    private final Claims claims;
    private final Memory memory;
    private final Semaphore surveys;
    private final Duration longestWait;
    private final ThreadLocal<UnaryOperator<List<Shortage>>> last =
            ThreadLocal.withInitial(UnaryOperator::identity);

    NextStarts(Claims claims, Memory memory) {
        this(claims, memory, new Semaphore(SURVEYS), LONGEST_WAIT);
    }

    /**
     * Searches for a node.
     *
     * @param surveys has a permit for each search that may read the tables
     * @param longestWait for such a permit, after which a search is left out
     */
    NextStarts(Claims claims, Memory memory, Semaphore surveys, Duration longestWait) {
        this.claims = claims;
        this.memory = memory;
        this.surveys = surveys;
        this.longestWait = longestWait;
    }

    /** The memory of a node, which may be behind. */
    interface Memory {

        /** A memory that knows nothing. */
        Memory NONE =
                new Memory() {
                    @Override
                    public boolean reaches(long position, Duration patience) {
                        return false;
                    }

                    @Override
                    public ClaimIndex index() {
                        throw new IllegalStateException("nothing is known");
                    }
                };

        /** Waits until memory has taken in an event; false if that takes too long. */
        boolean reaches(long position, Duration patience);

        ClaimIndex index();
    }

    /** Remembers a refusal of the thread's command, which is answered as it is. */
    @Override
    public Grant.TooFew refused(Grant.TooFew refused, StartSearch search, List<Claim> own) {
        last.set(shortages -> complete(search, own, refused.asOf(), shortages));
        return refused;
    }

    /**
     * The search of the calling thread's last refusal, for the shortages of that refusal. Any
     * thread may run it, outside a transaction.
     */
    public UnaryOperator<List<Shortage>> take() {
        UnaryOperator<List<Shortage>> search = last.get();
        last.remove();
        return search;
    }

    private List<Shortage> complete(
            StartSearch search, List<Claim> own, long asOf, List<Shortage> shortages) {
        if (!search.isWorthwhile()) {
            return shortages;
        }
        if (search.needsNoTables() && memory.reaches(asOf, PATIENCE)) {
            return search.complete(shortages, memory.index());
        }
        try {
            if (!surveys.tryAcquire(longestWait.toMillis(), TimeUnit.MILLISECONDS)) {
                return shortages;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return shortages;
        }
        try {
            return search.complete(shortages, claims, own);
        } finally {
            surveys.release();
        }
    }
}
