package org.leasehold.command.count;

import org.leasehold.vocabulary.ProjectId;

/** Counts the leases of each project that are not over, in the transactions that change them. */
public interface LeaseCounts {

    /**
     * Returns the number of unfinished leases of a project. The number may be too low, but never
     * high enough to reject a lease that fits.
     */
    long countUnfinished(ProjectId project);

    /**
     * Returns whether a project has no room for another lease, although {@link #countUnfinished}
     * showed some. A commit checks the number for added leases only, so a refused lease needs this.
     */
    boolean isFull(ProjectId project);

    /**
     * Adds a lease.
     *
     * @param limited true if the transaction fails when the project then exceeds its limit
     */
    void addLease(ProjectId project, boolean limited);

    /** Removes a lease. */
    void removeLease(ProjectId project);

    /** Returns the number of leases of a project that are retried. */
    long countRetried(ProjectId project);

    /**
     * Adds a lease that is retried.
     *
     * @param limited true if the transaction fails when the project then exceeds its limit
     */
    void addRetried(ProjectId project, boolean limited);

    /** Removes a lease that is retried no longer. */
    void removeRetried(ProjectId project);
}
