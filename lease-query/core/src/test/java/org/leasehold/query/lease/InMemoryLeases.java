package org.leasehold.query.lease;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The leases of the simulation: the product's fold, in the transaction of the events, on a map. */
public class InMemoryLeases implements Leases, Consumer<List<? extends EventMessage<?>>> {

    private final Map<LeaseId, LeaseView> views = new LinkedHashMap<>();

    @Override
    public void accept(List<? extends EventMessage<?>> events) {
        for (EventMessage<?> event : events) {
            if (event instanceof DomainEventMessage<?> message
                    && message.getPayload() instanceof LeaseEvent lease) {
                project(change(message, lease));
            }
        }
    }

    private static SequencedLeaseEvent change(DomainEventMessage<?> message, LeaseEvent event) {
        return new SequencedLeaseEvent(event, message.getSequenceNumber(), message.getTimestamp());
    }

    private void project(SequencedLeaseEvent change) {
        LeaseId id = change.event().leaseId();
        LeaseView before = views.get(id);
        if (change.follows(before)) {
            put(id, change.after(before));
            CurrentUnitOfWork.ifStarted(unit -> unit.onRollback(_ -> put(id, before)));
        }
    }

    private void put(LeaseId id, @Nullable LeaseView view) {
        if (view == null) {
            views.remove(id);
        } else {
            views.put(id, view);
        }
    }

    /** Returns the view after a lease's whole stream; null when there is nothing to see. */
    public static @Nullable LeaseView fold(List<? extends DomainEventMessage<?>> stream) {
        LeaseView view = null;
        for (DomainEventMessage<?> message : stream) {
            view = change(message, (LeaseEvent) message.getPayload()).after(view);
        }
        return view;
    }

    /** Returns whether a lease is a project's; null stands for all projects. */
    protected boolean isOf(LeaseView lease, @Nullable ProjectId project) {
        return project == null || lease.projectId().equals(project);
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        return Optional.ofNullable(views.get(id)).filter(view -> isOf(view, project));
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        throw new UnsupportedOperationException("the simulation looks at leases as they are");
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        Comparator<LeaseView> order = question.order().comparator();
        List<LeaseView> found =
                after(question, order).sorted(order).limit(question.limit() + 1L).toList();
        if (found.size() <= question.limit()) {
            return new Page<>(found, null);
        }
        LeaseView last = found.get(question.limit() - 1);
        return new Page<>(
                found.subList(0, question.limit()),
                new LeaseMarker(LeaseMarker.nameOf(question), List.of(last.id().toString()))
                        .text());
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        throw new UnsupportedOperationException("the simulation looks at leases as they are");
    }

    private Stream<LeaseView> after(ListLeases question, Comparator<LeaseView> order) {
        String marker = question.marker();
        LeaseView last =
                marker == null
                        ? null
                        : views.get(
                                LeaseId.of(
                                        LeaseMarker.of(marker, LeaseMarker.nameOf(question), 1)
                                                .keys()
                                                .getLast()));
        return views.values().stream()
                .filter(view -> isOf(view, question.filter().project()))
                .filter(view -> ofAnyProject(question.filter()).matches(view))
                .filter(view -> last == null || order.compare(view, last) > 0);
    }

    private static LeaseFilter ofAnyProject(LeaseFilter filter) {
        return new LeaseFilter(
                null,
                filter.statuses(),
                filter.name(),
                filter.namePrefix(),
                filter.kind(),
                filter.user(),
                filter.resource(),
                filter.startBefore(),
                filter.endAfter());
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        throw new UnsupportedOperationException("the simulation reads the events themselves");
    }
}
