package org.leasehold.command.journal;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.axonframework.messaging.unitofwork.UnitOfWork;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** Where the events are. What is appended belongs to the transaction of the moment. */
interface EventTable extends EventStorageEngine {

    /** The position of the last stored event; 0 before the first. */
    long head();

    /** A batch of the events after a position, in order. */
    List<TrackedEventMessage<?>> read(long after);

    /** Reads at once the streams that the commands of a unit of work will ask for one by one. */
    void readAhead(UnitOfWork<?> unit, Collection<String> streams);

    /** The position of the last event that a unit of work has appended. */
    static OptionalLong appendedBy(UnitOfWork<?> unit) {
        Long position = unit.root().getResource(EventTable.class.getName());
        return position == null ? OptionalLong.empty() : OptionalLong.of(position);
    }

    /** Notes the position of the last event that a unit of work has appended. */
    static void appended(UnitOfWork<?> unit, long position) {
        unit.root().resources().put(EventTable.class.getName(), position);
    }
}
