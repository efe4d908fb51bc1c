package org.leasehold.command.calendar.inventory;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.BuiltInProperties;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All resources that are not retired, as of one version of the inventory. */
public final class InventorySnapshot {

    /**
     * The number of matching resources in the cache; beyond it they are removed, because users
     * invent requirements and sizes.
     */
    private static final int MAX_CACHED_RESOURCES = 2_000_000;

    private final long version;
    private final Map<ResourceId, CachedResource> resources = new LinkedHashMap<>();
    private final Map<Sought, Matches> matches = new ConcurrentHashMap<>();
    private final Map<ResourceKind, Set<String>> propertyNames = new ConcurrentHashMap<>();

    /** Creates a snapshot from resources in the order of their ids. */
    public InventorySnapshot(long version, Collection<CachedResource> resources) {
        this.version = version;
        resources.forEach(resource -> this.resources.put(resource.id(), resource));
    }

    public long version() {
        return version;
    }

    public Optional<CachedResource> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id));
    }

    /** Returns the resources in service that meet the requirement, by id. */
    public List<CachedResource> findMatching(ResourceKind kind, Requirement requirement) {
        return matches(kind, requirement).resources();
    }

    /** Returns the ids of {@link #findMatching}. */
    public List<ResourceId> findMatchingIds(ResourceKind kind, Requirement requirement) {
        return matches(kind, requirement).ids();
    }

    private Matches matches(ResourceKind kind, Requirement requirement) {
        return matches(new Sought(kind, requirement, Map.of()));
    }

    private Matches matches(Sought sought) {
        if ((long) matches.size() * resources.size() > MAX_CACHED_RESOURCES) {
            matches.clear();
        }
        return matches.computeIfAbsent(
                sought,
                _ -> {
                    FreeCapacityFilter left = new FreeCapacityFilter(sought.requirement());
                    List<CachedResource> found =
                            resources.values().stream()
                                    .filter(CachedResource::enrolled)
                                    .filter(resource -> meets(resource, sought.kind(), left))
                                    .filter(resource -> resource.hasCapacityFor(sought.needs()))
                                    .toList();
                    return new Matches(found, found.stream().map(CachedResource::id).toList());
                });
    }

    /**
     * Returns the names that a requirement can use: the properties of resources of the kind, in
     * service or not, and the rests of these. Empty if there are no resources of the kind.
     */
    public Set<String> propertyNames(ResourceKind kind) {
        return propertyNames.computeIfAbsent(
                kind,
                of -> {
                    Set<String> known = new HashSet<>();
                    resources.values().stream()
                            .filter(resource -> resource.kind().equals(of))
                            .forEach(resource -> known.addAll(resource.properties().keySet()));
                    if (!known.isEmpty()) {
                        known.addAll(BuiltInProperties.names());
                    }
                    return Collections.unmodifiableSet(known);
                });
    }

    /** Returns the resources in service that may meet a demand, or a part of it. */
    public List<CachedResource> findCandidates(Demand demand) {
        return candidates(demand).resources();
    }

    /** Returns the ids of {@link #findCandidates}. */
    public List<ResourceId> findCandidateIds(Demand demand) {
        return candidates(demand).ids();
    }

    private Matches candidates(Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> matches(whole.kind(), whole.requirement());
            case Demand.Shared shared ->
                    matches(new Sought(shared.kind(), fixedRequirement(shared), shared.needs()));
        };
    }

    /** Returns what each candidate for a share meets; free capacities may decide later. */
    private static Requirement fixedRequirement(Demand.Shared shared) {
        return new FreeCapacityFilter(shared.requirement()).dependsOnWindow()
                ? Requirement.none()
                : shared.requirement();
    }

    /** Returns those of {@link #findMatching} that the demand requires by name. */
    public List<ResourceId> findRequired(Demand.Whole demand) {
        return demand.required().isEmpty()
                ? List.of()
                : findMatching(demand.kind(), demand.requirement()).stream()
                        .filter(
                                resource ->
                                        demand.required().contains(resource.allocation().name()))
                        .map(CachedResource::id)
                        .toList();
    }

    /**
     * Returns the demand of a reservation that one of its resources is for: the one that it meets,
     * or met before it changed.
     */
    public Demand demandServedBy(ResourceId id, List<Demand> demands) {
        Demand first = demands.getFirst();
        if (demands.size() == 1) {
            return first;
        }
        return find(id).map(
                        resource ->
                                demands.stream()
                                        .filter(d -> meets(resource, d.kind(), d.requirement()))
                                        .findFirst()
                                        .or(() -> findByKind(resource, demands))
                                        .orElse(first))
                .orElse(first);
    }

    private static Optional<Demand> findByKind(CachedResource resource, List<Demand> demands) {
        return demands.stream().filter(d -> d.kind().equals(resource.kind())).findFirst();
    }

    /** Returns whether the whole resource meets a request, in service or not. */
    public static boolean meets(
            CachedResource resource, ResourceKind kind, Requirement requirement) {
        return meets(resource, kind, new FreeCapacityFilter(requirement));
    }

    private static boolean meets(
            CachedResource resource, ResourceKind kind, FreeCapacityFilter left) {
        return resource.kind().equals(kind) && left.meets(resource.properties(), _ -> 0);
    }

    /**
     * @param needs the needs of one slot, by resource class; empty for whole resources
     */
    private record Sought(ResourceKind kind, Requirement requirement, Map<String, Long> needs) {}

    private record Matches(List<CachedResource> resources, List<ResourceId> ids) {}
}
