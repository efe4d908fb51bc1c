package org.leasehold.simulation.memory;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.calendar.stored.InMemoryTables.Listed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The queries of resources that tasks send. The simulation needs no others. */
public record InMemoryResources(InMemoryTables tables) implements Resources {

    @Override
    public Optional<ResourceView> find(ResourceId id) {
        return Optional.ofNullable(tables.resources().get(id)).map(InMemoryResources::view);
    }

    @Override
    public List<ResourceView> list(@Nullable ResourceKind kind) {
        return tables.resources().values().stream()
                .filter(listed -> kind == null || listed.kind().equals(kind))
                .map(InMemoryResources::view)
                .toList();
    }

    private static ResourceView view(Listed listed) {
        return new ResourceView(
                listed.id(),
                listed.kind(),
                listed.name(),
                null,
                null,
                listed.disabledReason() == null,
                listed.disabledReason(),
                new TreeMap<>(listed.attributes()),
                listed.capabilities(),
                VirtualClock.BEGINNING,
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
