package org.leasehold.command.lease;

import org.leasehold.command.count.LeaseCounts;
import org.leasehold.vocabulary.ProjectId;

/** A count without effect, for projects without a limit of leases. */
final class UnlimitedLeaseCounts implements LeaseCounts {

    @Override
    public long countUnfinished(ProjectId project) {
        return 0;
    }

    @Override
    public boolean isFull(ProjectId project) {
        return false;
    }

    @Override
    public void addLease(ProjectId project, boolean limited) {}

    @Override
    public void removeLease(ProjectId project) {}

    @Override
    public long countRetried(ProjectId project) {
        return 0;
    }

    @Override
    public void addRetried(ProjectId project, boolean limited) {}

    @Override
    public void removeRetried(ProjectId project) {}
}
