package org.leasehold.saga.task;

import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.vocabulary.LeaseId;

import java.util.Collection;
import java.util.List;

/** The query for stuck actions, on the table of failing tasks. */
record StuckTasks(FailingTaskTable table) implements StuckActionQuery {

    @Override
    public List<StuckAction> actions(int limit) {
        return table.findFailing(limit);
    }

    @Override
    public List<StuckAction> retryingActions(Collection<LeaseId> leases) {
        return leases.isEmpty() ? List.of() : table.findRetrying(leases);
    }
}
