package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The leases of the engine in memory, present and past. */
public final class InMemoryLeaseViews implements Leases {

    private final Map<LeaseId, LeaseView> leases;
    private final InMemoryPast past;

    /**
     * @param leases the present leases, which the engine changes; a synchronized map
     */
    InMemoryLeaseViews(Map<LeaseId, LeaseView> leases, InMemoryPast past) {
        this.leases = leases;
        this.past = past;
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        return Optional.ofNullable(leases.get(id))
                .filter(lease -> project == null || lease.projectId().equals(project));
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        return past.find(asOf)
                .map(state -> state.leases().get(id))
                .filter(lease -> project == null || lease.projectId().equals(project));
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        List<LeaseView> fitting = fitting(all(), question);
        String marker = question.marker();
        if (marker != null
                && find(Page.parseMarker(marker, LeaseId::of), question.filter().project())
                        .isEmpty()) {
            throw new UnknownMarker(marker);
        }
        return InMemoryPages.page(
                fitting, lease -> lease.id().toString(), marker, question.limit());
    }

    private List<LeaseView> all() {
        synchronized (leases) {
            return List.copyOf(leases.values());
        }
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        List<LeaseView> known =
                past.find(asOf).stream()
                        .flatMap(state -> state.leases().values().stream())
                        .sorted(Comparator.comparing(lease -> past.firstOf(lease.id())))
                        .toList();
        String marker = question.marker();
        if (marker != null && known.stream().noneMatch(l -> l.id().toString().equals(marker))) {
            throw new UnknownMarker(marker);
        }
        return InMemoryPages.page(
                fitting(known, question), lease -> lease.id().toString(), marker, question.limit());
    }

    private static List<LeaseView> fitting(Collection<LeaseView> all, ListLeases question) {
        LeaseOrder order = question.order();
        List<LeaseView> sorted = InMemoryPages.inOrder(all, order.direction());
        if (order.key() != LeaseOrder.Key.CREATED) {
            sorted.sort(order.comparator());
        }
        return sorted.stream()
                .filter(question.filter()::matches)
                .filter(lease -> hasResource(lease, question.filter().resource()))
                .toList();
    }

    private static boolean hasResource(LeaseView lease, @Nullable ResourceId resource) {
        return resource == null
                || lease.reservations().stream()
                        .flatMap(reservation -> reservation.allocations().stream())
                        .anyMatch(allocation -> allocation.resource().equals(resource));
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        return find(id, project).stream()
                .map(
                        lease ->
                                new HistoryEntry(
                                        past.firstOf(id),
                                        0,
                                        lease.createdAt(),
                                        "LeaseRequested",
                                        lease.userId().value(),
                                        lease.projectId().value(),
                                        List.of("member"),
                                        "req-1",
                                        null,
                                        "because",
                                        Map.of("name", lease.name())))
                .toList();
    }
}
