package org.leasehold.simulation;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.InMemoryTables;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.task.Tasks;
import org.leasehold.saga.timer.Timers;

/** What an engine is made of. Tests exchange parts for broken ones, to show that it is noticed. */
class Parts {

    InMemoryTables tables(UndoLog log) {
        return new InMemoryTables(log);
    }

    InMemoryLeases leases() {
        return new InMemoryLeases();
    }

    Calendar calendar(Calendar calendar) {
        return calendar;
    }

    ResourcePlugin plugin(ResourcePlugin plugin) {
        return plugin;
    }

    Timers timers(Timers timers) {
        return timers;
    }

    Tasks tasks(Tasks tasks) {
        return tasks;
    }
}
