package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.LeaseAccounts;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.query.rating.PricePlans;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.task.TaskQueue;
import org.leasehold.saga.timer.Timers;
import org.leasehold.simulation.memory.HostPlugins;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The parts of an engine. Tests replace parts by broken ones to show that errors are detected. */
class EngineParts {

    /**
     * Plans in which everything costs one a second, also across changes of price. Another plan
     * applies on another day, and another tier after some hours.
     */
    private static final PricePlans PLANS =
            PricePlans.of(
                    """
                    {"plans": [
                        {"name": "one", "from": "2029-01-01T00:00:00Z", "currency": "EUR",
                         "rates": [{"kind": "physical:host", "price": 3600,
                                    "tiers": [{"from_hours": 5, "price": 3600}]},
                                   {"kind": "later:host", "price": 3600}]},
                        {"name": "two", "from": "2030-01-02T12:00:00Z", "currency": "EUR",
                         "rates": [{"kind": "physical:host", "price": 3600,
                                    "premiums": [{"slots": 2, "percent": 0}]},
                                   {"kind": "later:host", "price": 3600}]}]}
                    """);

    InMemoryTables tables(UndoLog log) {
        return new InMemoryTables(log);
    }

    InMemoryLeases leases() {
        return new InMemoryLeases();
    }

    /** Returns the account of a lease, computed from its events. */
    List<AccountEntry> account(List<? extends DomainEventMessage<?>> life, Instant until) {
        LeaseBookings bookings = new LeaseBookings();
        life.forEach(
                message ->
                        bookings.apply((LeaseEvent) message.getPayload(), message.getTimestamp()));
        return LeaseAccounts.of(bookings, until);
    }

    /** Returns a lease's charges up to an instant, from its events, at one a second. */
    List<Charge> charges(List<? extends DomainEventMessage<?>> life, Instant until) {
        return PLANS.charges(
                recorded(life), until, _ -> ResourceKind.PHYSICAL_HOST, Instant.EPOCH, until);
    }

    /** Returns the events of a stream as readers of the event log get them. */
    static List<RecordedEvent> recorded(List<? extends DomainEventMessage<?>> life) {
        List<RecordedEvent> recorded = new ArrayList<>();
        for (DomainEventMessage<?> message : life) {
            recorded.add(
                    new RecordedEvent(
                            recorded.size() + 1L,
                            message.getAggregateIdentifier(),
                            recorded.size(),
                            message.getPayload(),
                            message.getTimestamp()));
        }
        return recorded;
    }

    Calendar calendar(Calendar calendar) {
        return calendar;
    }

    /** Returns the position that a node's memory reports, from its own and that of the log. */
    long memoryPosition(long position, long head) {
        return position;
    }

    ResourcePlugin plugin(ResourcePlugin plugin) {
        return plugin;
    }

    Plugins plugins(ResourcePlugin hosts) {
        return new HostPlugins(hosts);
    }

    Timers timers(Timers timers) {
        return timers;
    }

    TaskQueue tasks(TaskQueue tasks) {
        return tasks;
    }
}
