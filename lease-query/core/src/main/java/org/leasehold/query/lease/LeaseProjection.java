package org.leasehold.query.lease;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseId;
import org.leasehold.query.LeaseView;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps a table of leases up to date with their events: one read, unless all leases are new, and
 * one write for a whole list of events.
 *
 * <p>On the event bus it takes a command's events in the command's transaction. It is not an Axon
 * event processor, because those swallow an exception unless told otherwise: here a table that
 * cannot follow the events must fail the command.
 */
final class LeaseProjection implements Consumer<List<? extends EventMessage<?>>> {

    private final LeaseTable table;
    private final JustWritten justWritten;

    LeaseProjection(LeaseTable table, JustWritten justWritten) {
        this.table = table;
        this.justWritten = justWritten;
    }

    @Override
    public void accept(List<? extends EventMessage<?>> events) {
        List<LeaseChange> changes = new ArrayList<>();
        for (EventMessage<?> event : events) {
            if (event instanceof DomainEventMessage<?> domainEvent
                    && domainEvent.getPayload() instanceof LeaseEvent leaseEvent) {
                changes.add(
                        new LeaseChange(
                                leaseEvent,
                                domainEvent.getSequenceNumber(),
                                domainEvent.getTimestamp()));
            }
        }
        project(changes);
    }

    void project(List<LeaseChange> changes) {
        Set<LeaseId> created = new LinkedHashSet<>();
        Set<LeaseId> changed = new LinkedHashSet<>();
        for (LeaseChange change : changes) {
            LeaseId id = change.event().leaseId();
            if (change.sequence() == 0) {
                created.add(id);
            } else if (!created.contains(id)) {
                changed.add(id);
            }
        }
        Map<LeaseId, LeaseView> views = load(changed);
        for (LeaseChange change : changes) {
            apply(change, views);
        }
        table.store(views.values());
        changed.removeAll(views.keySet());
        table.remove(changed);
        justWritten.afterCommit(views.values(), changed);
    }

    private Map<LeaseId, LeaseView> load(Set<LeaseId> ids) {
        Map<LeaseId, LeaseView> views = new LinkedHashMap<>();
        if (!ids.isEmpty()) {
            table.load(ids).forEach(view -> views.put(view.id(), view));
        }
        return views;
    }

    private static void apply(LeaseChange change, Map<LeaseId, LeaseView> views) {
        LeaseId id = change.event().leaseId();
        LeaseView before = views.get(id);
        if (!change.follows(before)) {
            return;
        }
        LeaseView after = change.after(before);
        if (after == null) {
            views.remove(id);
        } else {
            views.put(id, after);
        }
    }
}
