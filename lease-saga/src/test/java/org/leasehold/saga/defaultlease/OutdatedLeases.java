package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Leases as a node read them before some were created. The event log has all of them. */
final class OutdatedLeases implements Leases {

    private final Leases log;
    private final Set<LeaseId> hidden = ConcurrentHashMap.newKeySet();

    OutdatedLeases(Leases log) {
        this.log = log;
    }

    void hide(LeaseId lease) {
        hidden.add(lease);
    }

    /** Shows all leases, as after the lag. */
    void showAll() {
        hidden.clear();
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        return hidden.contains(id) ? Optional.empty() : log.find(id, project);
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        return log.find(id, project, asOf);
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        Page<LeaseView> page = log.list(question);
        return new Page<>(
                page.items().stream().filter(lease -> !hidden.contains(lease.id())).toList(),
                page.next());
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        throw new UnsupportedOperationException();
    }
}
