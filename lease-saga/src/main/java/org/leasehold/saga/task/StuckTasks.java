package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.vocabulary.LeaseId;

import java.util.Collection;
import java.util.List;

/** The query for stuck actions, on the table of failing tasks. */
record StuckTasks(FailingTaskTable table) implements StuckActionQuery {

    @Override
    public Page<StuckAction> actions(@Nullable String marker, int limit) {
        return table.findFailing(marker, limit);
    }

    @Override
    public List<StuckAction> retryingActions(Collection<LeaseId> leases) {
        return leases.isEmpty() ? List.of() : table.findRetrying(leases);
    }
}
