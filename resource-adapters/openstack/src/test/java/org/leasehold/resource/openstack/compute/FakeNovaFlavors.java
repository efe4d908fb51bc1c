package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** A fake of Nova's flavors. */
final class FakeNovaFlavors {

    private static final int AT_ONCE = 2;

    private final Map<String, FakeFlavor> flavors = new TreeMap<>();
    private @Nullable String fleeing;

    /** Deletes a flavor as soon as it was the last one of a page. */
    void flee(String id) {
        fleeing = id;
    }

    void forget(String id) {
        flavors.remove(id);
    }

    FakeFlavor flavor(String id) {
        return flavors.get(id);
    }

    List<String> ids() {
        return List.copyOf(flavors.keySet());
    }

    FakeFlavor make(String id, JsonNode wish) {
        FakeFlavor flavor = new FakeFlavor(wish);
        flavors.put(id, flavor);
        return flavor;
    }

    Said answer(Asked request, List<String> parts) {
        if (parts.size() == 1) {
            return request.method().equals("GET")
                    ? list(request.query())
                    : create(request.body().path("flavor"));
        }
        FakeFlavor flavor = flavors.get(parts.get(1));
        if (flavor == null) {
            return FakeNova.refused(404, "Flavor could not be found.");
        }
        if (parts.size() == 2) {
            if (request.method().equals("DELETE")) {
                flavors.remove(parts.get(1));
                return Said.nothing(202);
            }
            return Said.json(200, Map.of("flavor", flavor.shown(parts.get(1))));
        }
        return switch (parts.get(2)) {
            case "os-extra_specs" -> extraSpecs(request, flavor);
            case "os-flavor-access" ->
                    flavor.isPublic
                            ? FakeNova.refused(404, "Access list not available.")
                            : Said.json(200, Map.of("flavor_access", access(flavor)));
            default -> act(request.body(), flavor);
        };
    }

    /** Returns a page of flavors, sorted by id. */
    private Said list(Map<String, String> query) {
        String marker = query.getOrDefault("marker", "");
        if (!marker.isEmpty() && !flavors.containsKey(marker)) {
            return FakeNova.refused(400, "marker [" + marker + "] not found");
        }
        boolean all = query.getOrDefault("is_public", "true").equals("None");
        List<Map<String, String>> found =
                flavors.entrySet().stream()
                        .filter(each -> all || each.getValue().isPublic)
                        .filter(each -> each.getKey().compareTo(marker) > 0)
                        .limit(AT_ONCE)
                        .map(each -> Map.of("id", each.getKey(), "name", each.getValue().name))
                        .toList();
        String fled = fleeing;
        if (fled != null && !found.isEmpty() && found.getLast().get("id").equals(fled)) {
            flavors.remove(fled);
            fleeing = null;
        }
        return Said.json(
                200,
                found.size() < AT_ONCE
                        ? Map.of("flavors", found)
                        : Map.of(
                                "flavors", found, "flavors_links", List.of(Map.of("rel", "next"))));
    }

    private Said create(JsonNode wish) {
        String id = wish.path("id").asString();
        FakeFlavor flavor = new FakeFlavor(wish);
        return flavors.putIfAbsent(id, flavor) == null
                ? Said.json(200, Map.of("flavor", Map.of("id", id)))
                : FakeNova.refused(409, "Flavor with ID already exists.");
    }

    private static Said extraSpecs(Asked request, FakeFlavor flavor) {
        if (request.method().equals("POST")) {
            request.body()
                    .path("extra_specs")
                    .propertyStream()
                    .forEach(
                            each ->
                                    flavor.extraSpecs.put(
                                            each.getKey(), each.getValue().asString()));
        }
        return Said.json(200, Map.of("extra_specs", Map.copyOf(flavor.extraSpecs)));
    }

    private static Said act(JsonNode body, FakeFlavor flavor) {
        boolean add = body.has("addTenantAccess");
        TreeSet<String> users = flavor.projects;
        String project =
                body.path(add ? "addTenantAccess" : "removeTenantAccess").path("tenant").asString();
        if (add) {
            return users.add(project)
                    ? Said.json(200, Map.of("flavor_access", access(flavor)))
                    : FakeNova.refused(409, "Flavor access already exists.");
        }
        return users.remove(project)
                ? Said.json(200, Map.of("flavor_access", access(flavor)))
                : FakeNova.refused(404, "Flavor access not found.");
    }

    private static List<Map<String, String>> access(FakeFlavor flavor) {
        return flavor.projects.stream().map(project -> Map.of("tenant_id", project)).toList();
    }
}
