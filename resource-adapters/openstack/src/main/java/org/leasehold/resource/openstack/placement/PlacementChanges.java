package org.leasehold.resource.openstack.placement;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The requests that change Placement, each behind the fence. Each is idempotent: a repetition finds
 * nothing to do.
 */
public final class PlacementChanges {

    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** The most attempts when others change the same at the same time. */
    private static final int MAX_ATTEMPTS = 10;

    private final Placement placement;
    private final FencedCloud fenced;

    PlacementChanges(Placement placement, FencedCloud fenced) {
        this.placement = placement;
        this.fenced = fenced;
    }

    /** Creates a provider that is a part of another one. */
    public ResourceProvider createProvider(String name, String parent) {
        CloudResponse answer =
                send(
                        CloudRequest.post(
                                        Placement.PLACEMENT,
                                        "/resource_providers",
                                        Map.of("name", name, "parent_provider_uuid", parent))
                                .expecting(CONFLICT));
        return answer.status() == CONFLICT
                ? placement.provider(name).orElseThrow(() -> missingProvider(name))
                : Placement.provider(answer.body());
    }

    /**
     * Creates a class, and checks afterwards that it exists. On MySQL, one of two concurrent ones
     * may be lost: both get the same number, which is taken for a duplicate name.
     */
    public void createClass(String resourceClass) {
        retryOnConflict(
                () ->
                        send(CloudRequest.put(
                                                        Placement.PLACEMENT,
                                                        Placement.classPath(resourceClass),
                                                        Map.of()))
                                                .status()
                                        == CREATED
                                || placement.hasClass(resourceClass));
    }

    /** Deletes a class that no provider has any more. */
    public void deleteClass(String resourceClass) {
        send(
                CloudRequest.delete(Placement.PLACEMENT, Placement.classPath(resourceClass))
                        .expecting(NOT_FOUND));
    }

    /** Adds a trait to those that a provider has. */
    public void addTrait(ResourceProvider provider, String trait) {
        retryOnConflict(
                () -> {
                    Placement.Traits before = placement.traits(provider.id());
                    if (before.names().contains(trait)) {
                        return true;
                    }
                    send(CloudRequest.put(Placement.PLACEMENT, "/traits/" + trait, Map.of()));
                    TreeSet<String> names = new TreeSet<>(before.names());
                    names.add(trait);
                    return isAccepted(
                            CloudRequest.put(
                                    Placement.PLACEMENT,
                                    Placement.traitsOf(provider.id()),
                                    Map.of(
                                            "traits",
                                            List.copyOf(names),
                                            "resource_provider_generation",
                                            before.generation())));
                });
    }

    /** Sets a provider's total of a class; each server takes one unit. */
    public void setTotal(ResourceProvider provider, String resourceClass, long total) {
        retryOnConflict(
                () -> {
                    Placement.Inventories before = placement.inventories(provider);
                    return hasTotals(before.of(resourceClass), total, 0)
                            || writeInventory(provider, resourceClass, before, total, 0);
                });
    }

    /** Reserves all units of a class, so that no server gets more; does nothing if it has none. */
    public void reserveAll(ResourceProvider provider, String resourceClass) {
        retryOnConflict(
                () -> {
                    Placement.Inventories before = placement.inventories(provider);
                    JsonNode has = before.of(resourceClass);
                    long total = has.path("total").longValue(0);
                    return has.isMissingNode()
                            || hasTotals(has, total, total)
                            || writeInventory(provider, resourceClass, before, total, total);
                });
    }

    /** Removes a class from a provider; returns false while a server takes any of it. */
    public boolean removeInventory(ResourceProvider provider, String resourceClass) {
        return isAccepted(
                CloudRequest.delete(
                                Placement.PLACEMENT,
                                Placement.inventoriesOf(provider) + "/" + resourceClass)
                        .expecting(NOT_FOUND));
    }

    /**
     * Removes from a consumer what it takes of some providers. Does nothing if it takes nothing
     * elsewhere: then it has not moved.
     *
     * @param providers their ids
     */
    public void removeAllocations(String consumer, Set<String> providers) {
        retryOnConflict(
                () -> {
                    JsonNode before = placement.allocations(consumer);
                    Map<String, Object> kept = new TreeMap<>();
                    before.path("allocations")
                            .propertyStream()
                            .filter(each -> !providers.contains(each.getKey()))
                            .forEach(
                                    each ->
                                            kept.put(
                                                    each.getKey(),
                                                    Map.of(
                                                            "resources",
                                                            each.getValue().path("resources"))));
                    return kept.isEmpty()
                            || kept.size() == before.path("allocations").size()
                            || isAccepted(
                                    CloudRequest.put(
                                            Placement.PLACEMENT,
                                            Placement.allocationsOf(consumer),
                                            Map.of(
                                                    "allocations",
                                                    kept,
                                                    "project_id",
                                                    before.path("project_id"),
                                                    "user_id",
                                                    before.path("user_id"),
                                                    "consumer_generation",
                                                    before.path("consumer_generation"))));
                });
    }

    private boolean writeInventory(
            ResourceProvider provider,
            String resourceClass,
            Placement.Inventories before,
            long total,
            long reserved) {
        Map<String, Object> inventory =
                new TreeMap<>(
                        Map.of(
                                "resource_provider_generation",
                                before.generation(),
                                "total",
                                total,
                                "reserved",
                                reserved,
                                "min_unit",
                                1,
                                "max_unit",
                                1,
                                "step_size",
                                1,
                                "allocation_ratio",
                                1.0));
        String path = Placement.inventoriesOf(provider);
        if (before.of(resourceClass).isMissingNode()) {
            inventory.put("resource_class", resourceClass);
            return isAccepted(CloudRequest.post(Placement.PLACEMENT, path, inventory));
        }
        return isAccepted(
                CloudRequest.put(Placement.PLACEMENT, path + "/" + resourceClass, inventory));
    }

    private static boolean hasTotals(JsonNode inventory, long total, long reserved) {
        return inventory.path("total").longValue(-1) == total
                && inventory.path("reserved").longValue(-1) == reserved;
    }

    private boolean isAccepted(CloudRequest request) {
        return send(request.expecting(CONFLICT)).status() != CONFLICT;
    }

    private static void retryOnConflict(Supplier<Boolean> attempt) {
        for (int look = 0; look < MAX_ATTEMPTS; look++) {
            if (attempt.get()) {
                return;
            }
        }
        throw new CloudFailure(
                Fault.Kind.RETRYABLE,
                CONFLICT,
                "Others were in the way in Placement " + MAX_ATTEMPTS + " times");
    }

    private CloudResponse send(CloudRequest request) {
        return fenced.send(Placement.versioned(request));
    }

    private static CloudFailure missingProvider(String provider) {
        return new CloudFailure(
                Fault.Kind.RETRYABLE, NOT_FOUND, "The provider " + provider + " is gone");
    }
}
