package org.leasehold.command.journal;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.memory.UndoLog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Events in a list, and the same events by stream. */
final class InMemoryEventTable implements EventTable {

    private static final String AHEAD = InMemoryEventTable.class.getName();

    private final UndoLog log;
    private final List<DomainEventMessage<?>> events = new ArrayList<>();
    private final Map<String, List<DomainEventMessage<?>>> streams = new LinkedHashMap<>();
    private Runnable whenCommitted = () -> {};

    InMemoryEventTable(UndoLog log) {
        this.log = log;
    }

    void whenCommitted(Runnable run) {
        whenCommitted = run;
    }

    @Override
    public long head() {
        return events.size();
    }

    /** Returns events in the order of their positions. */
    List<DomainEventMessage<?>> after(long position) {
        return events.subList((int) position, events.size());
    }

    List<DomainEventMessage<?>> stream(String id) {
        return streams.getOrDefault(id, List.of());
    }

    @Override
    public void appendEvents(List<? extends EventMessage<?>> appended) {
        if (appended.isEmpty()) {
            return;
        }
        appended.forEach(event -> append((DomainEventMessage<?>) event));
        UnitOfWork<?> unit = CurrentUnitOfWork.get().root();
        EventTable.recordAppendedPosition(unit, head());
        unit.afterCommit(_ -> whenCommitted.run());
    }

    private void append(DomainEventMessage<?> event) {
        List<DomainEventMessage<?>> stream =
                streams.computeIfAbsent(event.getAggregateIdentifier(), _ -> new ArrayList<>());
        if (event.getSequenceNumber() != stream.size()) {
            throw new ConcurrencyException(
                    "event %s of %s is there already"
                            .formatted(event.getSequenceNumber(), event.getAggregateIdentifier()));
        }
        stream.add(event);
        events.add(event);
        log.wrote(
                () -> {
                    stream.removeLast();
                    events.removeLast();
                });
    }

    @Override
    public void readAhead(UnitOfWork<?> unit, Collection<String> wanted) {
        Map<String, List<DomainEventMessage<?>>> ahead = new HashMap<>();
        wanted.forEach(stream -> ahead.put(stream, List.copyOf(stream(stream))));
        unit.root().resources().put(AHEAD, ahead);
    }

    @Override
    public DomainEventStream readEvents(String stream, long first) {
        Map<String, List<DomainEventMessage<?>>> ahead =
                CurrentUnitOfWork.map(
                                unit ->
                                        unit.root()
                                                .<Map<String, List<DomainEventMessage<?>>>>
                                                        getResource(AHEAD))
                        .orElse(Map.of());
        List<DomainEventMessage<?>> all = ahead.getOrDefault(stream, stream(stream));
        return DomainEventStream.of(List.copyOf(all.subList((int) first, all.size())));
    }

    @Override
    public Stream<? extends TrackedEventMessage<?>> readEvents(
            @Nullable TrackingToken token, boolean mayBlock) {
        throw new UnsupportedOperationException("the simulation reads by position");
    }

    @Override
    public List<TrackedEventMessage<?>> read(long after) {
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
