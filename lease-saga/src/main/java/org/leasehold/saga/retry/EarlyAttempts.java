package org.leasehold.saga.retry;

import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.reaction.SagaProcessors;
import org.leasehold.saga.retry.RetriedRequests.Woken;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The early attempts of retried requests. Capacity that a lease or a resource frees wakes some of
 * the requests that lack it. If no request is retried, this costs one small query for each batch of
 * such events, another one for deleted leases, and nothing for a request that is granted at once.
 */
@ProcessingGroup(SagaProcessors.STATELESS)
public final class EarlyAttempts {

    /** The time after which a request whose row is left over is forgotten; longer than outages. */
    private static final Duration RETENTION = Duration.ofDays(30);

    private final RetriedRequests requests;
    private final Timers timers;
    private final Function<Collection<String>, List<RecordedEvent>> streams;
    private final ReservedKinds kinds;
    private final int limit;

    /**
     * Takes the parts.
     *
     * @param streams returns all events of some streams
     * @param limit the most requests that one change of a lease or resource wakes
     */
    public EarlyAttempts(
            RetriedRequests requests,
            Timers timers,
            Function<Collection<String>, List<RecordedEvent>> streams,
            ReservedKinds kinds,
            int limit) {
        this.requests = requests;
        this.timers = timers;
        this.streams = streams;
        this.kinds = kinds;
        this.limit = limit;
    }

    /** Returns the module that registers this handler. */
    public ConfigurerModule module() {
        return configurer -> configurer.eventProcessing().registerEventHandler(_ -> this);
    }

    /**
     * A change that may free capacity.
     *
     * @param sequence the index of its first event in the stream
     */
    private record Change(String stream, long sequence, Instant at) {}

    /**
     * The changes of one transaction: of each stream, the first one.
     *
     * @param decided leases that are not retried any more, because they are granted or refused
     */
    private record Changes(
            Instant firstAt,
            Map<String, Change> byStream,
            Set<LeaseId> decided,
            Set<LeaseId> deleted) {

        Changes(Instant firstAt) {
            this(firstAt, new LinkedHashMap<>(), new HashSet<>(), new HashSet<>());
        }

        void add(DomainEventMessage<?> message) {
            byStream.putIfAbsent(
                    message.getAggregateIdentifier(),
                    new Change(
                            message.getAggregateIdentifier(),
                            message.getSequenceNumber(),
                            message.getTimestamp()));
        }
    }

    @EventHandler
    void on(LeaseEvent event, DomainEventMessage<?> message) {
        switch (event) {
            case LeaseEnding _,
                    LeaseEnded _,
                    LeaseRescheduled _,
                    ReservationChanged _,
                    ReservationRemoved _ ->
                    changes(message).add(message);
            // A request that is decided at once has no earlier event.
            case LeaseRequested _, LeaseRefused _ when message.getSequenceNumber() > 0 ->
                    changes(message).decided().add(event.leaseId());
            case LeaseDeleted(var lease) -> changes(message).deleted().add(lease);
            case LeaseEvent _ -> {}
        }
    }

    @EventHandler
    void on(ResourceEvent event, DomainEventMessage<?> message) {
        switch (event) {
            case ResourceEnrolled _, ResourceEnabled _, ResourceChanged _, ResourceDescribed _ ->
                    changes(message).add(message);
            case ResourceDisabled _, ResourceRetired _ -> {}
        }
    }

    private Changes changes(DomainEventMessage<?> first) {
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        return unit.getOrComputeResource(
                EarlyAttempts.class.getName(),
                _ -> {
                    Changes changes = new Changes(first.getTimestamp());
                    unit.onPrepareCommit(_ -> prepare(unit, changes));
                    return changes;
                });
    }

    private void prepare(UnitOfWork<?> unit, Changes changes) {
        boolean wakes =
                limit > 0 && !changes.byStream().isEmpty() && requests.isAny(changes.firstAt());
        if (!wakes && changes.decided().isEmpty() && changes.deleted().isEmpty()) {
            return;
        }
        Map<Change, Collection<FreedCapacity>> freed =
                wakes ? freedBy(changes.byStream()) : Map.of();
        // A refused attempt waits for the rows that this locks, and holds up all other commands.
        unit.onPrepareCommit(_ -> wake(freed, changes));
    }

    private void wake(Map<Change, Collection<FreedCapacity>> freed, Changes changes) {
        remove(changes);
        Map<String, Timer> early = new LinkedHashMap<>();
        // A request may be woken again for an earlier time.
        freed.forEach(
                (change, capacities) ->
                        wake(change, capacities).forEach(each -> early.put(each.key(), each)));
        if (!early.isEmpty()) {
            timers.set(List.copyOf(early.values()));
        }
    }

    private void remove(Changes changes) {
        if (!changes.decided().isEmpty()) {
            // The schedule cancels the timers of deleted leases.
            timers.cancel(
                    changes.decided().stream()
                            .map(Reaction::cancelRetry)
                            .flatMap(cancel -> cancel.keys().stream())
                            .toList());
        }
        Set<LeaseId> retriedNoLonger = new HashSet<>(changes.decided());
        retriedNoLonger.addAll(changes.deleted());
        requests.remove(retriedNoLonger, changes.firstAt().minus(RETENTION));
    }

    private List<Timer> wake(Change change, Collection<FreedCapacity> capacities) {
        List<Timer> early = new ArrayList<>();
        for (FreedCapacity freed : capacities) {
            if (early.size() < limit) {
                for (Woken woken : requests.wake(freed, change.at(), limit - early.size())) {
                    early.add(timer(woken, early.size()));
                }
            }
        }
        return early;
    }

    /**
     * Returns the timer of an attempt; a later one than those of older requests. Its cause is not
     * the change, which may belong to another project.
     */
    private static Timer timer(Woken woken, int index) {
        Reaction.SetTimer timer =
                Reaction.setEarlyTimer(woken.lease(), woken.due().plus(index, ChronoUnit.MICROS));
        return new Timer(timer.key(), timer.due(), timer.command(), woken.cause());
    }

    private Map<Change, Collection<FreedCapacity>> freedBy(Map<String, Change> changes) {
        Map<String, List<RecordedEvent>> lives =
                streams.apply(changes.keySet()).stream()
                        .collect(Collectors.groupingBy(RecordedEvent::stream));
        Map<Change, Collection<FreedCapacity>> freed = new LinkedHashMap<>();
        changes.forEach(
                (stream, change) ->
                        freed.put(change, freedBy(change, lives.getOrDefault(stream, List.of()))));
        return freed;
    }

    private Collection<FreedCapacity> freedBy(Change change, List<RecordedEvent> life) {
        Instant now = change.at();
        if (!life.isEmpty() && life.getFirst().event() instanceof ResourceEvent) {
            return FreedCapacity.ofResource(life, now);
        }
        List<RecordedEvent> before =
                life.stream().filter(event -> event.sequence() < change.sequence()).toList();
        return HeldCapacity.of(before).freedUntil(HeldCapacity.of(life), now, kinds::of);
    }
}
