package org.leasehold.saga.fakes;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The existing leases, tenures and resources. */
public final class FakeReadModel implements Leases, Resources, CurrentTenures {

    private final Map<LeaseId, LeaseView> leases = new ConcurrentHashMap<>();
    private final Map<ResourceId, ResourceView> resources = new ConcurrentHashMap<>();
    private final Map<ReservationId, LeaseId> holders = new ConcurrentHashMap<>();
    private final Set<Tenure> past = ConcurrentHashMap.newKeySet();

    public void put(LeaseView lease) {
        leases.put(lease.id(), lease);
    }

    public void forget(LeaseId lease) {
        leases.remove(lease);
    }

    public void put(ResourceView resource) {
        resources.put(resource.id(), resource);
    }

    public void enrol(ResourceId id, String name) {
        put(id, name, null);
    }

    /** Enrols a resource that is out of service. */
    public void enrolDisabled(ResourceId id, String name, String reason) {
        put(id, name, reason);
    }

    private void put(ResourceId id, String name, @Nullable String disabledReason) {
        resources.put(
                id,
                new ResourceView(
                        id,
                        ResourceKind.PHYSICAL_HOST,
                        name,
                        null,
                        null,
                        disabledReason == null,
                        disabledReason,
                        Map.of(),
                        Map.of(),
                        Samples.NOON,
                        null));
    }

    public void retire(ResourceId id) {
        resources.remove(id);
    }

    public void end(Tenure tenure) {
        past.add(tenure);
    }

    public void holds(ReservationId reservation, LeaseId lease) {
        holders.put(reservation, lease);
    }

    public void holdsNothing(ReservationId reservation) {
        holders.remove(reservation);
    }

    @Override
    public Map<ReservationId, LeaseId> holders() {
        return Map.copyOf(holders);
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId holder) {
        return Optional.ofNullable(holders.get(holder));
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return !past.contains(tenure);
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        return Optional.ofNullable(leases.get(id))
                .filter(lease -> project == null || lease.projectId().equals(project));
    }

    @Override
    public Optional<ResourceView> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id));
    }

    @Override
    public List<ResourceView> list(@Nullable ResourceKind kind) {
        return List.copyOf(resources.values());
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        return new Page<>(
                leases.values().stream()
                        .filter(question.filter()::matches)
                        .filter(lease -> question.filter().statuses().contains(lease.status()))
                        .toList(),
                null);
    }

    @Override
    public Set<String> hiddenProperties(ResourceKind kind) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<ResourceView> page(ListResources question) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<CountedProperty> page(ListProperties question) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<ResourceCalendar> page(ListAllocations question) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        if (asOf < Long.MAX_VALUE) {
            throw new UnsupportedOperationException("no past");
        }
        return find(id, project);
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ResourceCalendar> allocations(
            ResourceKind kind,
            @Nullable ResourceId resource,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ResourceProperty> properties(ResourceKind kind) {
        throw new UnsupportedOperationException();
    }
}
