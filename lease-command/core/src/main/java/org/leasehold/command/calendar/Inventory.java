package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.StandingProperties;

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
final class Inventory {

    /**
     * Beyond this many, remembered matches are forgotten: requirements are the users' to invent.
     */
    private static final int REMEMBERED_MATCHES = 1_000;

    private final long version;
    private final Map<ResourceId, KnownResource> resources = new LinkedHashMap<>();
    private final Map<Sought, List<KnownResource>> matches = new ConcurrentHashMap<>();
    private final Map<ResourceKind, Set<String>> names = new ConcurrentHashMap<>();

    /** Takes the resources in the order of their ids. */
    Inventory(long version, Collection<KnownResource> resources) {
        this.version = version;
        resources.forEach(resource -> this.resources.put(resource.id(), resource));
    }

    long version() {
        return version;
    }

    Optional<KnownResource> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id));
    }

    /** The resources in service that meet the requirement, by id. */
    List<KnownResource> matching(ResourceKind kind, Requirement requirement) {
        if (matches.size() > REMEMBERED_MATCHES) {
            matches.clear();
        }
        return matches.computeIfAbsent(
                new Sought(kind, requirement),
                sought -> {
                    Left left = new Left(requirement);
                    return resources.values().stream()
                            .filter(KnownResource::enrolled)
                            .filter(resource -> meets(resource, kind, left))
                            .toList();
                });
    }

    /**
     * The names that a requirement can look at: what resources of the kind have, in service or not,
     * and what is left of it. Empty where there are no resources of the kind.
     */
    Set<String> propertyNames(ResourceKind kind) {
        return names.computeIfAbsent(
                kind,
                of -> {
                    Set<String> known = new HashSet<>();
                    resources.values().stream()
                            .filter(resource -> resource.kind().equals(of))
                            .forEach(resource -> known.addAll(resource.properties().keySet()));
                    if (!known.isEmpty()) {
                        known.addAll(StandingProperties.names());
                    }
                    return Collections.unmodifiableSet(known);
                });
    }

    /** The resources in service that might do for a demand. */
    List<KnownResource> candidates(Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> matching(whole.kind(), whole.requirement());
            case Demand.Shared shared -> candidates(shared);
        };
    }

    /** The resources in service that might do for a share; their rooms tell whether they do. */
    private List<KnownResource> candidates(Demand.Shared demand) {
        return matching(
                demand.kind(),
                new Left(demand.requirement()).matters()
                        ? Requirement.none()
                        : demand.requirement());
    }

    /** Those of {@link #matching} that the demand asks for by name. */
    List<ResourceId> required(Demand.Whole demand) {
        return demand.required().isEmpty()
                ? List.of()
                : matching(demand.kind(), demand.requirement()).stream()
                        .filter(
                                resource ->
                                        demand.required().contains(resource.allocation().name()))
                        .map(KnownResource::id)
                        .toList();
    }

    /**
     * Which of a reservation's demands a resource of it is for: the one that it meets, or used to
     * before it changed.
     */
    Demand servedBy(ResourceId id, List<Demand> demands) {
        Demand first = demands.getFirst();
        if (demands.size() == 1) {
            return first;
        }
        return find(id).map(
                        resource ->
                                demands.stream()
                                        .filter(d -> meets(resource, d.kind(), d.requirement()))
                                        .findFirst()
                                        .or(() -> ofKind(resource, demands))
                                        .orElse(first))
                .orElse(first);
    }

    private static Optional<Demand> ofKind(KnownResource resource, List<Demand> demands) {
        return demands.stream().filter(d -> d.kind().equals(resource.kind())).findFirst();
    }

    /** Whether the resource, as a whole, is what is asked for, in service or not. */
    static boolean meets(KnownResource resource, ResourceKind kind, Requirement requirement) {
        return meets(resource, kind, new Left(requirement));
    }

    private static boolean meets(KnownResource resource, ResourceKind kind, Left left) {
        return resource.kind().equals(kind) && left.meets(resource.properties(), _ -> 0);
    }

    private record Sought(ResourceKind kind, Requirement requirement) {}
}
