package org.leasehold.history;

/**
 * The pace of a periodic poll. After some polls without a change, only each nth is made, until one
 * finds a change. Callers synchronise their calls.
 */
public final class PollPace {

    private final int quickPolls;
    private final int nth;
    private int unchanged;

    /**
     * @param quickPolls the number of polls without a change after which the pace is slower
     * @param nth which of the later polls are made: 3 means each third
     */
    public PollPace(int quickPolls, int nth) {
        this.quickPolls = quickPolls;
        this.nth = nth;
    }

    /** Counts a poll; returns whether it is to be made. */
    public boolean isDue() {
        unchanged++;
        return unchanged <= quickPolls || unchanged % nth == 0;
    }

    /** Resumes the full pace, after a poll that found a change. */
    public void resume() {
        unchanged = 0;
    }
}
