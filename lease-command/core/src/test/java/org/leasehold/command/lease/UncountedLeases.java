package org.leasehold.command.lease;

import org.leasehold.command.count.LeaseCounts;
import org.leasehold.lease.ProjectId;

/** A count without effect, for projects without a limit of leases. */
final class UncountedLeases implements LeaseCounts {

    @Override
    public long of(ProjectId project) {
        return 0;
    }

    @Override
    public void began(ProjectId project, boolean limited) {}

    @Override
    public void over(ProjectId project) {}
}
