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
 * The event store; every event in it bears the time at which its command was decided. Readers are
 * woken at once by what this process commits, and by {@link TailWatch} for what others do. Axon's
 * own store can do neither for a pooled processor, which would look only twice a second.
 */
final class Journal extends AbstractEventStore {

    private final RecentEvents recent;
    private final Set<Runnable> sleepers = ConcurrentHashMap.newKeySet();

    Journal(EventTable events) {
        super(new Builder().storageEngine(events));
        recent = new RecentEvents(events);
    }

    /** Axon asks its own clock when an event is made; a late command is decided at another time. */
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

    /** What the current unit of work would append. */
    List<EventMessage<?>> staged() {
        return queuedMessages();
    }

    @Override
    protected void afterCommit(List<? extends EventMessage<?>> events) {
        wake();
    }

    /** Has every reader look for new events. */
    void wake() {
        sleepers.forEach(Runnable::run);
    }

    /** Events after a position, without a hole; empty when there are none yet. */
    List<TrackedEventMessage<?>> after(long position) {
        return recent.after(position);
    }

    /** The position of the last event that anybody has read, as far as that is remembered. */
    long read() {
        return recent.end();
    }

    /** Has the database asked for what was read from it already. */
    void forget() {
        recent.forget();
    }

    /** Calls somebody whenever there may be new events. */
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
