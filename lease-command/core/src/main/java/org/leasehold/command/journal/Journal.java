package org.leasehold.command.journal;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.AbstractEventStore;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The event store. Every event has the time at which its command was decided. A commit of this
 * process wakes readers at once; {@link TailWatch} does so for other processes. Axon's own store
 * supports neither for a pooled processor, which would poll only twice a second.
 */
final class Journal extends AbstractEventStore {

    private final RecentEvents recent;
    private final Set<Runnable> sleepers = ConcurrentHashMap.newKeySet();

    Journal(EventTable events) {
        super(new Builder().storageEngine(events));
        recent = new RecentEvents(events);
    }

    /** Sets the time of the decision; Axon's own clock would be wrong for late commands. */
    @Override
    public void publish(List<? extends EventMessage<?>> events) {
        Instant now = CommandMetadata.now(CurrentUnitOfWork.get().getMessage());
        super.publish(
                events.stream()
                        .<EventMessage<?>>map(
                                event ->
                                        event instanceof DomainEventMessage<?> message
                                                ? at(now, message)
                                                : event)
                        .toList());
    }

    private static <T> DomainEventMessage<T> at(Instant now, DomainEventMessage<T> event) {
        return new GenericDomainEventMessage<>(
                event.getType(),
                event.getAggregateIdentifier(),
                event.getSequenceNumber(),
                event,
                now);
    }

    /** Returns the events that the current unit of work would append. */
    List<EventMessage<?>> staged() {
        return queuedMessages();
    }

    @Override
    protected void afterCommit(List<? extends EventMessage<?>> events) {
        wake();
    }

    /** Wakes every reader to read new events. */
    void wake() {
        sleepers.forEach(Runnable::run);
    }

    /** Returns the events after a position, without gaps; empty if there are none yet. */
    List<TrackedEventMessage<?>> after(long position) {
        return recent.after(position);
    }

    /** Returns the position of the last event in the memory of recent events. */
    long read() {
        return recent.end();
    }

    /** Clears the memory of recent events, so that the database is read again. */
    void forget() {
        recent.forget();
    }

    /** Registers a callback that runs whenever there may be new events. */
    void wakes(Runnable sleeper) {
        sleepers.add(sleeper);
    }

    @Override
    public BlockingStream<TrackedEventMessage<?>> openStream(@Nullable TrackingToken token) {
        long position = token == null ? 0 : token.position().orElse(0);
        JournalStream stream = new JournalStream(recent, position, sleepers::remove);
        sleepers.add(stream);
        return stream;
    }

    private static final class Builder extends AbstractEventStore.Builder {}
}
