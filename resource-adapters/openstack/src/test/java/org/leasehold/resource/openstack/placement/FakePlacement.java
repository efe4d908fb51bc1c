package org.leasehold.resource.openstack.placement;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A fake of Placement. */
public final class FakePlacement {

    private final Map<String, FakeProvider> providers = new LinkedHashMap<>();
    private final TreeSet<String> classes = new TreeSet<>();
    private final TreeSet<String> traits = new TreeSet<>();
    private final FakeAllocations allocations = new FakeAllocations();

    /** The number of changes that will conflict with another one of the same provider. */
    private int interruptions;

    /** The number of new classes that will collide with another one's number. */
    private int collisions;

    /** True if a released amount is free only a moment later. */
    private boolean slow;

    /** The latest microversion that it supports, within version 1. */
    private int newest = 39;

    public synchronized void addRoot(String id, String name) {
        providers.put(id, new FakeProvider(id, name, null));
    }

    public synchronized void addPart(String name, String parent) {
        providers.put(name, new FakeProvider(name, name, parent));
    }

    /** Adds an amount of a class to a provider. */
    public synchronized void offer(String provider, String resourceClass, long total) {
        classes.add(resourceClass);
        FakeProvider.Stock stock = new FakeProvider.Stock();
        stock.total = total;
        entry(provider).stocks.put(resourceClass, stock);
    }

    public synchronized void interrupt(int times) {
        interruptions = times;
    }

    public synchronized void collide(int times) {
        collisions = times;
    }

    public synchronized void beSlow() {
        slow = true;
    }

    /** Limits the supported microversions to 1.{@code minor}. */
    public synchronized void isAsOldAs(int minor) {
        newest = minor;
    }

    public synchronized void forget(String provider) {
        providers.remove(entry(provider).id);
    }

    public synchronized List<String> names() {
        return providers.values().stream().map(entry -> entry.name).sorted().toList();
    }

    public synchronized List<String> classes() {
        return List.copyOf(classes);
    }

    /** Returns the existing traits, whether or not a provider has them. */
    public synchronized List<String> traits() {
        return List.copyOf(traits);
    }

    public synchronized FakeProvider entry(String name) {
        return providers.values().stream()
                .filter(entry -> entry.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Sets the traits of a provider. */
    public synchronized void characterise(String provider, String... added) {
        FakeProvider entry = entry(provider);
        entry.traits.clear();
        entry.traits.addAll(List.of(added));
        entry.generation++;
    }

    /** Takes one of a class for a server; returns false if none is left. */
    public synchronized boolean take(String provider, String resourceClass) {
        FakeProvider entry = entry(provider);
        FakeProvider.Stock stock = entry.stocks.get(resourceClass);
        if (stock == null || stock.total - stock.reserved <= stock.used) {
            return false;
        }
        stock.used++;
        entry.generation++;
        return true;
    }

    public synchronized void giveBack(String provider, String resourceClass) {
        FakeProvider.Stock stock = entry(provider).stocks.get(resourceClass);
        if (slow) {
            stock.leaving++;
        } else {
            stock.used--;
        }
    }

    public synchronized int inventoryChanges(String provider) {
        return entry(provider).inventoryChanges;
    }

    /** Makes a server take one of a class of each provider, as after an evacuation. */
    public synchronized void addAllocations(String server, String resourceClass, String... parts) {
        allocations.add(
                server,
                resourceClass,
                Stream.of(parts).map(part -> entry(part).id).collect(Collectors.toSet()));
    }

    private void giveBackById(String provider, String resourceClass) {
        giveBack(providers.get(provider).name, resourceClass);
    }

    public synchronized Said answer(Asked request) {
        String version = request.headers().getOrDefault("openstack-api-version", "");
        if (!version.startsWith("placement 1.")) {
            return refused(406, "This Placement wants to know which version is meant.");
        }
        int minor = Integer.parseInt(version.substring("placement 1.".length()));
        if (minor > newest) {
            return refused(406, "Unacceptable version header.");
        }
        URI uri = URI.create(request.path());
        List<String> parts = List.of(uri.getPath().substring(1).split("/"));
        return switch (parts.getFirst()) {
            case "resource_classes" -> ofClasses(request, parts);
            case "allocations" -> allocations.answer(request, parts.get(1), this::giveBackById);
            case "traits" -> ofName(request.method(), parts.get(1), traits);
            case "resource_providers" ->
                    parts.size() == 1
                            ? ofProviders(request, uri)
                            : ofProvider(request, providers.get(parts.get(1)), parts);
            default -> refused(404, "The resource could not be found.");
        };
    }

    private Said ofClasses(Asked request, List<String> parts) {
        if (parts.size() == 1) {
            List<Map<String, String>> found =
                    Stream.concat(Stream.of("VCPU", "MEMORY_MB"), classes.stream())
                            .map(name -> Map.of("name", name))
                            .toList();
            return Said.json(200, Map.of("resource_classes", found));
        }
        return collides(request)
                ? Said.nothing(204)
                : ofName(request.method(), parts.get(1), classes);
    }

    /** Returns whether a new class is lost: with MySQL it is taken for a duplicate name. */
    private boolean collides(Asked request) {
        return request.method().equals("PUT") && collisions-- > 0;
    }

    private Said ofName(String method, String name, Set<String> names) {
        return switch (method) {
            case "PUT" -> Said.nothing(names.add(name) ? 201 : 204);
            case "GET" ->
                    names.contains(name)
                            ? Said.json(200, Map.of("name", name))
                            : refused(404, "No such resource class.");
            default ->
                    providers.values().stream()
                                    .anyMatch(
                                            entry ->
                                                    entry.stocks.containsKey(name)
                                                            || entry.traits.contains(name))
                            ? refused(409, "Error in delete resource class.")
                            : Said.nothing(names.remove(name) ? 204 : 404);
        };
    }

    private Said ofProviders(Asked request, URI uri) {
        if (request.method().equals("GET")) {
            String query = uri.getRawQuery();
            String name =
                    query == null
                            ? null
                            : URLDecoder.decode(query.replace("name=", ""), StandardCharsets.UTF_8);
            return Said.json(
                    200,
                    Map.of(
                            "resource_providers",
                            providers.values().stream()
                                    .filter(entry -> name == null || entry.name.equals(name))
                                    .map(FakeProvider::shown)
                                    .toList()));
        }
        String name = request.body().path("name").asString();
        String parent = request.body().path("parent_provider_uuid").asString();
        if (!parent.isEmpty() && !providers.containsKey(parent)) {
            return refused(400, "Unable to create resource provider: the parent does not exist.");
        }
        if (providers.values().stream().anyMatch(entry -> entry.name.equals(name))) {
            return refused(409, "Conflicting resource provider name: already exists.");
        }
        FakeProvider entry = new FakeProvider(UUID.randomUUID().toString(), name, parent);
        providers.put(entry.id, entry);
        return Said.json(200, entry.shown());
    }

    private Said ofProvider(Asked request, FakeProvider entry, List<String> parts) {
        if (entry == null) {
            return refused(404, "No resource provider with that uuid.");
        }
        if (parts.size() == 2 && "".equals(entry.parent) && request.method().equals("DELETE")) {
            providers.remove(entry.id);
            return Said.nothing(204);
        }
        if (parts.size() == 2) {
            return refused(405, "Compute services would miss it.");
        }
        boolean change = !request.method().equals("GET");
        if (change && interruptions > 0) {
            interruptions--;
            entry.generation++;
        }
        JsonNode generation = request.body().path("resource_provider_generation");
        if (change
                && !request.method().equals("DELETE")
                && generation.longValue(-1) != entry.generation) {
            return refused(409, "resource provider generation conflict");
        }
        return switch (parts.get(2)) {
            case "allocations" -> allocations.ofProvider(entry);
            case "traits" -> ofTraits(request, entry);
            default -> ofStocks(request, entry, parts);
        };
    }

    private Said ofTraits(Asked request, FakeProvider entry) {
        if (request.method().equals("PUT")) {
            List<String> wanted =
                    request.body()
                            .path("traits")
                            .valueStream()
                            .map(trait -> trait.asString(""))
                            .toList();
            if (!traits.containsAll(wanted)) {
                return refused(400, "No such trait(s).");
            }
            entry.traits.clear();
            entry.traits.addAll(wanted);
            entry.generation++;
        }
        return Said.json(
                200,
                Map.of(
                        "traits",
                        List.copyOf(entry.traits),
                        "resource_provider_generation",
                        entry.generation));
    }

    private Said ofStocks(Asked request, FakeProvider entry, List<String> parts) {
        return switch (request.method()) {
            case "GET" ->
                    Said.json(
                            200,
                            Map.of(
                                    "inventories",
                                    entry.shownStocks(),
                                    "resource_provider_generation",
                                    entry.generation));
            case "DELETE" -> withdraw(entry, parts.get(3));
            case "POST" -> put(request, entry, request.body().path("resource_class").asString());
            default ->
                    entry.stocks.containsKey(parts.get(3))
                            ? put(request, entry, parts.get(3))
                            : refused(400, "No inventory record with resource class.");
        };
    }

    private Said put(Asked request, FakeProvider entry, String resourceClass) {
        if (!classes.contains(resourceClass)) {
            return refused(400, "Unknown resource class in inventory.");
        }
        FakeProvider.Stock stock =
                entry.stocks.computeIfAbsent(resourceClass, first -> new FakeProvider.Stock());
        stock.total = request.body().path("total").longValue();
        stock.reserved = request.body().path("reserved").longValue(0);
        entry.inventoryChanges++;
        entry.generation++;
        return Said.json(200, stock.shown());
    }

    private Said withdraw(FakeProvider entry, String resourceClass) {
        FakeProvider.Stock stock = entry.stocks.get(resourceClass);
        if (stock == null) {
            return refused(404, "No inventory of class found for delete.");
        }
        if (stock.used > 0) {
            stock.used -= stock.leaving;
            stock.leaving = 0;
            return refused(409, "Unable to delete inventory of class: it is in use.");
        }
        entry.stocks.remove(resourceClass);
        entry.generation++;
        return Said.nothing(204);
    }

    private static Said refused(int status, String detail) {
        return Said.json(
                status, Map.of("errors", List.of(Map.of("status", status, "detail", detail))));
    }
}
