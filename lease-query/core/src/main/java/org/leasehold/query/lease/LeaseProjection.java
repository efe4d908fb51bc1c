package org.leasehold.query.lease;

import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The projection of events to a table of leases: one read, unless all leases are new, and one write
 * for a whole list of events.
 */
final class LeaseProjection {

    private final LeaseTable table;

    LeaseProjection(LeaseTable table) {
        this.table = table;
    }

    /** The changed rows of the table. */
    record Written(List<LeaseView> stored, Set<LeaseId> removed) {

        Written {
            stored = List.copyOf(stored);
            removed = Set.copyOf(removed);
        }
    }

    Written project(List<SequencedLeaseEvent> changes) {
        Set<LeaseId> created = new LinkedHashSet<>();
        Set<LeaseId> changed = new LinkedHashSet<>();
        for (SequencedLeaseEvent change : changes) {
            LeaseId id = change.event().leaseId();
            if (change.sequence() == 0) {
                created.add(id);
            } else if (!created.contains(id)) {
                changed.add(id);
            }
        }
        Map<LeaseId, LeaseView> views = load(changed);
        for (SequencedLeaseEvent change : changes) {
            apply(change, views);
        }
        table.store(views.values());
        changed.removeAll(views.keySet());
        table.remove(changed);
        return new Written(List.copyOf(views.values()), changed);
    }

    private Map<LeaseId, LeaseView> load(Set<LeaseId> ids) {
        Map<LeaseId, LeaseView> views = new LinkedHashMap<>();
        if (!ids.isEmpty()) {
            table.load(ids).forEach(view -> views.put(view.id(), view));
        }
        return views;
    }

    private static void apply(SequencedLeaseEvent change, Map<LeaseId, LeaseView> views) {
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
