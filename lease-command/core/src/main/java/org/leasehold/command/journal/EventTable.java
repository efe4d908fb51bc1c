package org.leasehold.command.journal;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.axonframework.messaging.unitofwork.UnitOfWork;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** The table of events. Appends belong to the current transaction. */
public interface EventTable extends EventStorageEngine {

    /** Returns the position of the last stored event; 0 before the first. */
    long head();

    /** Returns a batch of the events after a position, in order. */
    List<TrackedEventMessage<?>> read(long after);

    /** Reads, with one query, the streams that the commands of a unit of work need. */
    void readAhead(UnitOfWork<?> unit, Collection<String> streams);

    /** Returns the position of the last event that a unit of work has appended. */
    static OptionalLong lastAppendedPosition(UnitOfWork<?> unit) {
        Long position = unit.root().getResource(EventTable.class.getName());
        return position == null ? OptionalLong.empty() : OptionalLong.of(position);
    }

    /** Records the position of the last event that a unit of work has appended. */
    static void recordAppendedPosition(UnitOfWork<?> unit, long position) {
        unit.root().resources().put(EventTable.class.getName(), position);
    }
}
