package org.leasehold.resource.openstack.placement;

import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;

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

/** What Placement says. openstack4j does not know it. */
public final class Placement {

    static final String PLACEMENT = "placement";

    /** The first that finds resources of one server in several providers of a tree. */
    private static final String VERSION = "1.29";

    /** The first that tells traits; for these alone no cloud needs a newer one. */
    private static final String TRAITS = "1.6";

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    public Placement(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The same Placement, to be changed as long as the fence holds. */
    public PlacementChanges fencedBy(Fence fence) {
        return new PlacementChanges(this, new Fenced(cloud, fence));
    }

    /** The provider of exactly this name. */
    public Optional<Provider> provider(String name) {
        String query =
                "/resource_providers?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
        return ask(Request.get(PLACEMENT, query))
                .body()
                .path("resource_providers")
                .valueStream()
                .findFirst()
                .map(Placement::provider);
    }

    /** All that there are. */
    public List<Provider> providers() {
        return ask(Request.get(PLACEMENT, "/resource_providers"))
                .body()
                .path("resource_providers")
                .valueStream()
                .map(Placement::provider)
                .toList();
    }

    /** The names of all resource classes. */
    public List<String> classes() {
        return ask(Request.get(PLACEMENT, "/resource_classes"))
                .body()
                .path("resource_classes")
                .valueStream()
                .map(found -> found.path("name").asString(""))
                .toList();
    }

    /** How much it has of each class; nothing if it does not exist. */
    public SortedMap<String, Long> totals(Provider provider) {
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

    /** How much it has of a class; empty if it never had, or does not exist. */
    public Optional<Long> total(Provider provider, String resourceClass) {
        JsonNode total = inventories(provider).of(resourceClass).path("total");
        return total.isMissingNode() ? Optional.empty() : Optional.of(total.longValue());
    }

    public boolean hasClass(String resourceClass) {
        return ask(Request.get(PLACEMENT, classPath(resourceClass)).expecting(NOT_FOUND)).status()
                != NOT_FOUND;
    }

    Inventories inventories(Provider provider) {
        JsonNode found =
                ask(Request.get(PLACEMENT, inventoriesOf(provider)).expecting(NOT_FOUND)).body();
        return new Inventories(generation(found), found.path("inventories"));
    }

    /** Whether the cloud has it: hosts can do without. */
    public boolean isThere() {
        return cloud.rest().has(PLACEMENT);
    }

    /** The generations of all providers, by id; each change of a provider makes another one. */
    public Map<String, Long> generations() {
        return askOld(Request.get(PLACEMENT, "/resource_providers"))
                .body()
                .path("resource_providers")
                .valueStream()
                .collect(
                        Collectors.toMap(
                                each -> each.path("uuid").asString(""),
                                each -> each.path("generation").longValue(0)));
    }

    /** What is special about a provider; nothing if there is none of the id. */
    public Traits traits(String provider) {
        JsonNode found =
                askOld(Request.get(PLACEMENT, traitsOf(provider)).expecting(NOT_FOUND)).body();
        return new Traits(
                generation(found),
                found.path("traits")
                        .valueStream()
                        .map(trait -> trait.asString(""))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** A read or a change of the version whose answers are understood here. */
    static Request versioned(Request request) {
        return request.microversion(VERSION);
    }

    static Provider provider(JsonNode found) {
        return new Provider(
                found.path("uuid").asString(""),
                found.path("name").asString(""),
                found.path("parent_provider_uuid").stringValue(null));
    }

    static String inventoriesOf(Provider provider) {
        return pathOf(provider) + "/inventories";
    }

    static String traitsOf(String provider) {
        return "/resource_providers/" + provider + "/traits";
    }

    static String classPath(String resourceClass) {
        return "/resource_classes/" + resourceClass;
    }

    static String pathOf(Provider provider) {
        return "/resource_providers/" + provider.id();
    }

    private Answer ask(Request request) {
        return cloud.rest().send(versioned(request));
    }

    private Answer askOld(Request request) {
        return cloud.rest().send(request.microversion(TRAITS));
    }

    private static long generation(JsonNode found) {
        return found.path("resource_provider_generation").longValue(0);
    }

    /**
     * What a provider has.
     *
     * @param generation of the provider, which every change of it must name
     */
    record Inventories(long generation, JsonNode byClass) {

        /** A missing node for nothing. */
        JsonNode of(String resourceClass) {
            return byClass.path(resourceClass);
        }
    }

    /**
     * What is special about a provider.
     *
     * @param generation of the provider
     * @param names such as {@code HW_CPU_X86_AVX2}
     */
    public record Traits(long generation, Set<String> names) {}
}
