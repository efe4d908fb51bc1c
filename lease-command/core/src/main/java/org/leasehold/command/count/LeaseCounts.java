package org.leasehold.command.count;

import org.leasehold.lease.ProjectId;

/** Counts the leases of each project that are not over, in the transactions that change them. */
public interface LeaseCounts {

    /**
     * Returns how many unfinished leases a project has. It may be too few, never enough to reject a
     * lease for which there is room.
     */
    long of(ProjectId project);

    /**
     * Adds a lease.
     *
     * @param limited whether the transaction fails if the project has more than it may have then
     */
    void began(ProjectId project, boolean limited);

    /** Removes a lease. */
    void over(ProjectId project);
}
