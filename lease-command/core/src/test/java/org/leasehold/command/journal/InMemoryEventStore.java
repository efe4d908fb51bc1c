package org.leasehold.command.journal;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.command.request.IdempotencyKeys;

import java.util.List;

/** The storage of command outcomes that all nodes of the simulation share. */
public final class InMemoryEventStore {

    public final InMemoryEventTable events;
    public final IdempotencyKeys keys;
    private long resources;

    public InMemoryEventStore(UndoLog log) {
        events = new InMemoryEventTable(log);
        keys = new InMemoryIdempotencyKeys(log);
    }

    /** Returns the position of the last event; the first one is 1. */
    public long head() {
        return events.head();
    }

    /** Returns events in the order of their positions, from the one after {@code position}. */
    public List<DomainEventMessage<?>> after(long position) {
        return events.after(position);
    }

    public List<DomainEventMessage<?>> stream(String id) {
        return events.stream(id);
    }

    /** Registers code that runs after each commit of events, before anything else happens. */
    public void whenCommitted(Runnable run) {
        events.whenCommitted(run);
    }

    public long nextResource() {
        resources++;
        return resources;
    }
}
