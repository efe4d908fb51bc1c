package org.leasehold.command.journal;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.memory.UndoLog;

import java.util.List;

/** What all nodes of the simulation store their commands' outcomes in. */
public final class InMemoryJournal {

    final InMemoryEvents events;
    final IdempotencyKeys keys;
    private long resources;

    public InMemoryJournal(UndoLog log) {
        events = new InMemoryEvents(log);
        keys = new InMemoryKeys(log);
    }

    /** The position of the last event; the first one is 1. */
    public long head() {
        return events.head();
    }

    /** Events in the order of their positions, from the one after {@code position}. */
    public List<DomainEventMessage<?>> after(long position) {
        return events.after(position);
    }

    public List<DomainEventMessage<?>> stream(String id) {
        return events.stream(id);
    }

    /** Has something run whenever events were committed, and before anything else happens. */
    public void whenCommitted(Runnable run) {
        events.whenCommitted(run);
    }

    long nextResource() {
        resources++;
        return resources;
    }
}
