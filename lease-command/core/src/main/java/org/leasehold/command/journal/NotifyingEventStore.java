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
import org.leasehold.command.request.CommandMetadata;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The event store. Every event has the time at which its command was decided. A commit of this
 * process wakes readers at once; {@link AppendPoller} does so for other processes. Axon's own store
 * supports neither for a pooled processor, which would poll only twice a second.
 */
public final class NotifyingEventStore extends AbstractEventStore {

    private final RecentEvents recentEvents;
    private final Set<Runnable> wakeListeners = ConcurrentHashMap.newKeySet();

    public NotifyingEventStore(EventTable events) {
        super(new Builder().storageEngine(events));
        recentEvents = new RecentEvents(events);
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
                                                ? withTimestamp(now, message)
                                                : event)
                        .toList());
    }

    private static <T> DomainEventMessage<T> withTimestamp(
            Instant now, DomainEventMessage<T> event) {
        return new GenericDomainEventMessage<>(
                event.getType(),
                event.getAggregateIdentifier(),
                event.getSequenceNumber(),
                event,
                now);
    }

    /** Returns the events that the current unit of work would append. */
    public List<EventMessage<?>> stagedEvents() {
        return queuedMessages();
    }

    @Override
    protected void afterCommit(List<? extends EventMessage<?>> events) {
        wakeReaders();
    }

    /** Wakes every reader to read new events. */
    void wakeReaders() {
        wakeListeners.forEach(Runnable::run);
    }

    /** Returns the events after a position, without gaps; empty if there are none yet. */
    List<TrackedEventMessage<?>> eventsAfter(long position) {
        return recentEvents.eventsAfter(position);
    }

    /** Returns the position of the last event in the memory of recent events. */
    long lastCachedPosition() {
        return recentEvents.lastPosition();
    }

    /** Clears the memory of recent events, so that the database is read again. */
    void clearCache() {
        recentEvents.clear();
    }

    /** Registers a callback that runs whenever there may be new events. */
    void addWakeListener(Runnable sleeper) {
        wakeListeners.add(sleeper);
    }

    @Override
    public BlockingStream<TrackedEventMessage<?>> openStream(@Nullable TrackingToken token) {
        long position = token == null ? 0 : token.position().orElse(0);
        EventLogStream stream = new EventLogStream(recentEvents, position, wakeListeners::remove);
        wakeListeners.add(stream);
        return stream;
    }

    private static final class Builder extends AbstractEventStore.Builder {}
}
