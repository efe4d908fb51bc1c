package org.leasehold.saga.task;

import org.leasehold.lease.LeaseId;
import org.leasehold.query.Stuck;

import java.util.Collection;
import java.util.List;

/** The query for stuck actions, on the table of tasks. */
record StuckTasks(TaskTable table) implements Stuck {

    @Override
    public List<StuckAction> actions(int limit) {
        return table.failing(limit);
    }

    @Override
    public List<StuckAction> waiting(Collection<LeaseId> leases) {
        return leases.isEmpty() ? List.of() : table.waiting(leases);
    }
}
