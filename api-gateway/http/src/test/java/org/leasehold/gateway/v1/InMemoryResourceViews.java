package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.BuiltInProperties;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.resource.PropertyNames;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** The resources of the engine in memory, with their properties and calendars. */
public final class InMemoryResourceViews implements Resources, PropertyNames {

    private final Clock clock;
    private final SortedMap<ResourceId, ResourceView> resources = new TreeMap<>();
    private final Map<String, ResourceProperty> properties = new TreeMap<>();
    private final List<ResourceCalendar> calendars = new ArrayList<>();

    InMemoryResourceViews(Clock clock) {
        this.clock = clock;
    }

    synchronized void reset() {
        resources.clear();
        properties.clear();
        calendars.clear();
    }

    synchronized void put(ResourceView resource) {
        resources.put(resource.id(), resource);
    }

    synchronized void remove(ResourceId id) {
        resources.remove(id);
    }

    /** Adds or replaces a property of hosts. */
    synchronized void putProperty(String name, boolean hidden, @Nullable Instant updatedAt) {
        properties.put(
                name,
                new ResourceProperty(
                        UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)),
                        ResourceKind.PHYSICAL_HOST,
                        name,
                        hidden,
                        List.of(),
                        clock.instant(),
                        updatedAt));
    }

    synchronized boolean hasProperty(String name) {
        return properties.containsKey(name);
    }

    public synchronized void hold(ResourceCalendar calendar) {
        calendars.add(calendar);
    }

    synchronized Map<ResourceId, ResourceView> all() {
        return Map.copyOf(resources);
    }

    synchronized Map<String, ResourceProperty> allProperties() {
        return Map.copyOf(properties);
    }

    @Override
    public synchronized Optional<ResourceView> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id));
    }

    @Override
    public synchronized List<ResourceView> list(@Nullable ResourceKind kind) {
        return resources.values().stream()
                .filter(resource -> kind == null || resource.kind().equals(kind))
                .toList();
    }

    @Override
    public synchronized Page<ResourceView> page(ListResources question) {
        return InMemoryPages.page(
                InMemoryPages.inOrder(list(question.kind()), question.part().direction()).stream()
                        .filter(r -> question.name() == null || r.name().equals(question.name()))
                        .toList(),
                resource -> resource.id().toString(),
                question.part());
    }

    @Override
    public synchronized Page<ResourceCalendar> page(ListAllocations question) {
        return InMemoryPages.page(
                InMemoryPages.inOrder(
                        allocations(
                                question.kind(),
                                null,
                                question.lease(),
                                question.reservation(),
                                question.from()),
                        question.part().direction()),
                calendar -> calendar.resource().toString(),
                question.part());
    }

    @Override
    public synchronized List<ResourceCalendar> allocations(
            ResourceKind kind,
            @Nullable ResourceId resource,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from) {
        return list(kind).stream()
                .filter(host -> resource == null || host.id().equals(resource))
                .map(
                        host ->
                                new ResourceCalendar(
                                        host.id(),
                                        host.name(),
                                        holdings(host.id(), lease, reservation, from)))
                .toList();
    }

    private List<Holding> holdings(
            ResourceId host,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from) {
        return calendars.stream()
                .filter(calendar -> calendar.resource().equals(host))
                .flatMap(calendar -> calendar.holdings().stream())
                .filter(holding -> lease == null || holding.lease().equals(lease))
                .filter(h -> reservation == null || h.reservation().equals(reservation))
                .filter(holding -> !holding.period().end().isBefore(from))
                .sorted(Comparator.comparing(holding -> holding.period().start()))
                .toList();
    }

    @Override
    public synchronized List<ResourceProperty> properties(ResourceKind kind) {
        return properties.values().stream()
                .map(
                        p ->
                                new ResourceProperty(
                                        p.id(),
                                        p.kind(),
                                        p.name(),
                                        p.hidden(),
                                        values(p.name()),
                                        p.createdAt(),
                                        p.updatedAt()))
                .toList();
    }

    @Override
    public synchronized Page<CountedProperty> page(ListProperties question) {
        List<CountedProperty> visible =
                properties(question.kind()).stream()
                        .filter(property -> question.hiddenToo() || !property.hidden())
                        .filter(p -> question.name() == null || p.name().equals(question.name()))
                        .map(property -> new CountedProperty(property, counts(property), false))
                        .toList();
        String marker = question.marker();
        if (marker != null && visible.stream().noneMatch(p -> isAt(marker, p))) {
            throw new UnknownMarker(marker);
        }
        return InMemoryPages.page(
                visible, p -> p.property().id().toString(), marker, question.limit());
    }

    private static boolean isAt(String marker, CountedProperty property) {
        return property.property().id().toString().equals(marker);
    }

    private List<ValueCount> counts(ResourceProperty property) {
        return property.values().stream()
                .map(
                        value ->
                                new ValueCount(
                                        value,
                                        resources.values().stream()
                                                .map(r -> r.capabilities().get(property.name()))
                                                .filter(value::equals)
                                                .count()))
                .toList();
    }

    private List<String> values(String property) {
        var values = new TreeSet<String>();
        resources
                .values()
                .forEach(
                        resource -> {
                            String value = resource.capabilities().get(property);
                            if (value != null) {
                                values.add(value);
                            }
                        });
        return List.copyOf(values);
    }

    @Override
    public synchronized Set<String> hiddenProperties(ResourceKind kind) {
        return properties.values().stream()
                .filter(ResourceProperty::hidden)
                .map(ResourceProperty::name)
                .collect(Collectors.toSet());
    }

    @Override
    public synchronized Set<String> findKnown(ResourceKind kind, Set<String> wanted) {
        Set<String> names = new TreeSet<>();
        resources.values().stream()
                .filter(resource -> resource.kind().equals(kind))
                .forEach(
                        resource -> {
                            names.addAll(BuiltInProperties.names());
                            names.addAll(resource.attributes().keySet());
                            names.addAll(resource.capabilities().keySet());
                        });
        return names;
    }
}
