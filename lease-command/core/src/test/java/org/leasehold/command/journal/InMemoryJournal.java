package org.leasehold.command.journal;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.AbstractEventStore;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** The event store of the simulation: a list, and the same events by stream. */
public final class InMemoryJournal extends AbstractEventStore {

    private final Storage storage;

    /** What was answered to requests that may be repeated, by project and key. */
    final Map<List<String>, Answered> answers = new HashMap<>();

    private Runnable whenCommitted = () -> {};
    private long resources;

    record Answered(String bodyHash, Outcome<?> outcome) {}

    private InMemoryJournal(Storage storage) {
        super(new Builder().storageEngine(storage));
        this.storage = storage;
    }

    public static InMemoryJournal empty() {
        return new InMemoryJournal(new Storage());
    }

    /** The position of the last event; the first one is 1. */
    public long head() {
        return storage.events.size();
    }

    /** Events in the order of their positions, from the one after {@code position}. */
    public List<DomainEventMessage<?>> after(long position) {
        return storage.events.subList((int) position, storage.events.size());
    }

    public List<DomainEventMessage<?>> stream(String id) {
        return storage.streams.getOrDefault(id, List.of());
    }

    /** As {@link Journal}: an event bears the time at which its command was decided. */
    @Override
    public void publish(List<? extends EventMessage<?>> events) {
        Instant now = CommandMetadata.now(CurrentUnitOfWork.get().getMessage());
        super.publish(events.stream().map(event -> at(now, event)).toList());
    }

    private static EventMessage<?> at(Instant now, EventMessage<?> event) {
        return event instanceof DomainEventMessage<?> domain
                ? new GenericDomainEventMessage<>(
                        domain.getType(),
                        domain.getAggregateIdentifier(),
                        domain.getSequenceNumber(),
                        domain,
                        now)
                : event;
    }

    ResourceId nextResource() {
        resources++;
        return new ResourceId(resources);
    }

    /** Has something run whenever events were committed, and before anything else happens. */
    public void whenCommitted(Runnable run) {
        whenCommitted = run;
    }

    @Override
    protected void afterCommit(List<? extends EventMessage<?>> events) {
        whenCommitted.run();
    }

    /** Has streams read through a cache, which is told what a stream holds in truth. */
    public void readThrough(
            BiFunction<String, List<DomainEventMessage<?>>, List<DomainEventMessage<?>>> cache) {
        storage.cache = cache;
    }

    List<EventMessage<?>> staged() {
        return queuedMessages();
    }

    Optional<Answered> answer(Idempotency key) {
        return Optional.ofNullable(answers.get(List.of(key.project(), key.key())));
    }

    void remember(Idempotency key, Outcome<?> outcome) {
        answers.put(List.of(key.project(), key.key()), new Answered(key.bodyHash(), outcome));
    }

    @Override
    public BlockingStream<TrackedEventMessage<?>> openStream(@Nullable TrackingToken token) {
        throw new UnsupportedOperationException("the simulation reads by position");
    }

    private static final class Builder extends AbstractEventStore.Builder {}

    private static final class Storage implements EventStorageEngine {

        private final List<DomainEventMessage<?>> events = new ArrayList<>();
        private final Map<String, List<DomainEventMessage<?>>> streams = new LinkedHashMap<>();
        private BiFunction<String, List<DomainEventMessage<?>>, List<DomainEventMessage<?>>> cache =
                (_, stream) -> stream;

        @Override
        public void appendEvents(List<? extends EventMessage<?>> appended) {
            for (EventMessage<?> event : appended) {
                append((DomainEventMessage<?>) event);
            }
        }

        private void append(DomainEventMessage<?> event) {
            List<DomainEventMessage<?>> stream =
                    streams.computeIfAbsent(event.getAggregateIdentifier(), _ -> new ArrayList<>());
            if (event.getSequenceNumber() != stream.size()) {
                throw new ConcurrencyException(
                        "event %d of %s is there already"
                                .formatted(
                                        event.getSequenceNumber(), event.getAggregateIdentifier()));
            }
            stream.add(event);
            events.add(event);
            CurrentUnitOfWork.get()
                    .onRollback(
                            _ -> {
                                stream.removeLast();
                                events.removeLast();
                            });
        }

        @Override
        public DomainEventStream readEvents(String stream, long first) {
            List<DomainEventMessage<?>> all =
                    cache.apply(stream, streams.getOrDefault(stream, List.of()));
            return DomainEventStream.of(List.copyOf(all.subList((int) first, all.size())));
        }

        @Override
        public Stream<? extends TrackedEventMessage<?>> readEvents(
                @Nullable TrackingToken token, boolean mayBlock) {
            throw new UnsupportedOperationException("the simulation reads by position");
        }

        @Override
        public void storeSnapshot(DomainEventMessage<?> snapshot) {
            throw new UnsupportedOperationException("there are no snapshots");
        }

        @Override
        public Optional<DomainEventMessage<?>> readSnapshot(String stream) {
            return Optional.empty();
        }
    }
}
