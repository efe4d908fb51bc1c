package org.leasehold.resource.openstack.placement;

import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Queries to Placement, which openstack4j does not support. */
public final class Placement {

    static final String PLACEMENT = "placement";

    /** The first microversion that finds a server's resources in several providers of a tree. */
    public static final String TREES_MICROVERSION = "1.29";

    /** The first microversion of all. Hosts need no newer one: without traits, they have none. */
    public static final String FIRST_MICROVERSION = "1.0";

    /** The first microversion with traits; for these alone no cloud needs a newer one. */
    private static final String TRAITS_MICROVERSION = "1.6";

    private static final String ALLOCATIONS = "/allocations";

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    public Placement(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Returns the changes of the same Placement, while the fence holds. */
    public PlacementChanges fencedBy(Fence fence) {
        return new PlacementChanges(this, new FencedCloud(cloud, fence));
    }

    /** Returns the provider of exactly this name. */
    public Optional<ResourceProvider> provider(String name) {
        String query =
                "/resource_providers?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
        return send(CloudRequest.get(PLACEMENT, query))
                .body()
                .path("resource_providers")
                .valueStream()
                .findFirst()
                .map(Placement::provider);
    }

    /** Returns all providers. */
    public List<ResourceProvider> providers() {
        return send(CloudRequest.get(PLACEMENT, "/resource_providers"))
                .body()
                .path("resource_providers")
                .valueStream()
                .map(Placement::provider)
                .toList();
    }

    /** Returns the names of all resource classes. */
    public List<String> classes() {
        return send(CloudRequest.get(PLACEMENT, "/resource_classes"))
                .body()
                .path("resource_classes")
                .valueStream()
                .map(found -> found.path("name").asString(""))
                .toList();
    }

    /** Returns a provider's total of each class; empty if it does not exist. */
    public SortedMap<String, Long> totals(ResourceProvider provider) {
        SortedMap<String, Long> totals = new TreeMap<>();
        inventories(provider)
                .byClass()
                .propertyStream()
                .forEach(
                        each ->
                                totals.put(
                                        each.getKey(), each.getValue().path("total").longValue(0)));
        return totals;
    }

    /** Returns a provider's total of a class; empty without one, or without the provider. */
    public Optional<Long> total(ResourceProvider provider, String resourceClass) {
        JsonNode total = inventories(provider).of(resourceClass).path("total");
        return total.isMissingNode() ? Optional.empty() : Optional.of(total.longValue());
    }

    public boolean hasClass(String resourceClass) {
        return send(CloudRequest.get(PLACEMENT, classPath(resourceClass)).expecting(NOT_FOUND))
                        .status()
                != NOT_FOUND;
    }

    Inventories inventories(ResourceProvider provider) {
        JsonNode found =
                send(CloudRequest.get(PLACEMENT, inventoriesOf(provider)).expecting(NOT_FOUND))
                        .body();
        return new Inventories(generation(found), found.path("inventories"));
    }

    /** Returns the ids of the servers and migrations that take any of a class. */
    public Set<String> consumers(ResourceProvider provider, String resourceClass) {
        CloudRequest request =
                CloudRequest.get(PLACEMENT, pathOf(provider) + ALLOCATIONS).expecting(NOT_FOUND);
        return send(request)
                .body()
                .path("allocations")
                .propertyStream()
                .filter(each -> each.getValue().path("resources").has(resourceClass))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns all that a consumer takes, with its generation. */
    JsonNode allocations(String consumer) {
        return send(CloudRequest.get(PLACEMENT, allocationsOf(consumer))).body();
    }

    static String allocationsOf(String consumer) {
        return ALLOCATIONS + "/" + consumer;
    }

    /** Returns whether the cloud has Placement: hosts work without it. */
    public boolean isAvailable() {
        return cloud.rest().hasService(PLACEMENT);
    }

    /** Returns the generations of all providers, by id; each change of a provider increases it. */
    public Map<String, Long> generations() {
        return sendForTraits(CloudRequest.get(PLACEMENT, "/resource_providers"))
                .body()
                .path("resource_providers")
                .valueStream()
                .collect(
                        Collectors.toMap(
                                each -> each.path("uuid").asString(""),
                                each -> each.path("generation").longValue(0)));
    }

    /** Returns the traits of a provider; none if there is no provider of the id. */
    public Traits traits(String provider) {
        JsonNode found =
                sendForTraits(CloudRequest.get(PLACEMENT, traitsOf(provider)).expecting(NOT_FOUND))
                        .body();
        return new Traits(
                generation(found),
                found.path("traits")
                        .valueStream()
                        .map(trait -> trait.asString(""))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Sets the microversion whose responses the engine understands. */
    static CloudRequest versioned(CloudRequest request) {
        return request.microversion(TREES_MICROVERSION);
    }

    static ResourceProvider provider(JsonNode found) {
        return new ResourceProvider(
                found.path("uuid").asString(""),
                found.path("name").asString(""),
                found.path("parent_provider_uuid").stringValue(null));
    }

    static String inventoriesOf(ResourceProvider provider) {
        return pathOf(provider) + "/inventories";
    }

    static String traitsOf(String provider) {
        return "/resource_providers/" + provider + "/traits";
    }

    static String classPath(String resourceClass) {
        return "/resource_classes/" + resourceClass;
    }

    static String pathOf(ResourceProvider provider) {
        return "/resource_providers/" + provider.id();
    }

    private CloudResponse send(CloudRequest request) {
        return cloud.rest().send(versioned(request));
    }

    private CloudResponse sendForTraits(CloudRequest request) {
        return cloud.rest().send(request.microversion(TRAITS_MICROVERSION));
    }

    private static long generation(JsonNode found) {
        return found.path("resource_provider_generation").longValue(0);
    }

    /**
     * The inventories of a provider.
     *
     * @param generation of the provider, which every change of it must name
     */
    record Inventories(long generation, JsonNode byClass) {

        /** Returns the inventory of a class; a missing node for none. */
        JsonNode of(String resourceClass) {
            return byClass.path(resourceClass);
        }
    }

    /**
     * The traits of a provider.
     *
     * @param generation of the provider
     * @param names such as {@code HW_CPU_X86_AVX2}
     */
    public record Traits(long generation, Set<String> names) {}
}
