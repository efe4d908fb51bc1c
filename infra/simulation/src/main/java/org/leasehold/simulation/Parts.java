package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.InMemoryTables;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.account.Accounts;
import org.leasehold.query.account.Entry;
import org.leasehold.query.booking.Bookings;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.task.Tasks;
import org.leasehold.saga.timer.Timers;

import java.time.Instant;
import java.util.List;

/** What an engine is made of. Tests exchange parts for broken ones, to show that it is noticed. */
class Parts {

    InMemoryTables tables(UndoLog log) {
        return new InMemoryTables(log);
    }

    InMemoryLeases leases() {
        return new InMemoryLeases();
    }

    /** What a lease is accounted for, as its events tell. */
    List<Entry> account(List<? extends DomainEventMessage<?>> life, Instant until) {
        Bookings bookings = new Bookings();
        life.forEach(
                message ->
                        bookings.apply((LeaseEvent) message.getPayload(), message.getTimestamp()));
        return Accounts.of(bookings, until);
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
