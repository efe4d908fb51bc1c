package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A fake of Nova for servers, and of Glance for images. A slow action completes after a number of
 * queries.
 */
final class FakeNovaServers implements AutoCloseable {

    static final String TRUST = "trust-of-p1";

    private static final int PAGE = 2;

    /** The first microversion with a server's flavor. */
    private static final String FLAVOR_MICROVERSION = "2.47";

    /** The states in which metadata can be written on a server. */
    static final Set<String> WRITABLE = Set.of("ACTIVE", "PAUSED", "SUSPENDED", "SHUTOFF");

    private static final Map<String, Transition> TRANSITIONS =
            Map.of(
                    "shelve", new Transition(WRITABLE, "SHELVED_OFFLOADED"),
                    "unshelve", new Transition(Set.of("SHELVED", "SHELVED_OFFLOADED"), "ACTIVE"),
                    "os-start", new Transition(Set.of("SHUTOFF"), "ACTIVE"),
                    "os-stop", new Transition(Set.of("ACTIVE", "ERROR"), "SHUTOFF"),
                    "suspend", new Transition(Set.of("ACTIVE"), "SUSPENDED"),
                    "resume", new Transition(Set.of("SUSPENDED"), "ACTIVE"),
                    "createImage", new Transition(WRITABLE, ""));

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final List<String> requests = new ArrayList<>();
    private final Map<String, FakeServer> servers = new LinkedHashMap<>();
    private final List<Image> images = new ArrayList<>();
    private final List<Map<String, ?>> zones = new ArrayList<>();
    private final List<Map<String, ?>> hypervisors = new ArrayList<>();
    private final List<Map<String, ?>> aggregates = new ArrayList<>();
    private boolean full;
    private int refusal;
    private int time;

    private record Transition(Set<String> from, String to) {}

    /** An image of a server, in the caller's project. */
    record Image(String name, String server, String project, Map<String, String> properties) {}

    FakeNovaServers() {
        for (String zone : List.of("nova", "east", "west")) {
            zone(zone, zone + "-1");
            hypervisor(zone + "-1", "up", 16);
        }
        cloud.trust(TRUST, "p1");
        cloud.answer("compute", this::nova);
        cloud.answer("image", this::glance);
    }

    Map<String, String> settings() {
        return cloud.settings();
    }

    FakeOpenStack keystone() {
        return cloud;
    }

    /** Returns the requests that change something. */
    synchronized List<String> changes() {
        return List.copyOf(requests);
    }

    synchronized void zone(String name, String... hosts) {
        Map<String, Object> all = new TreeMap<>();
        for (String host : hosts) {
            all.put(host, Map.of("nova-compute", Map.of("active", true)));
        }
        all.put("controller", Map.of("nova-scheduler", Map.of("active", true)));
        zones.add(Map.of("zoneName", name, "hosts", all));
    }

    synchronized void hypervisor(String host, String state, int vcpus) {
        hypervisors.add(
                Map.of(
                        "id",
                        UUID.randomUUID().toString(),
                        "hypervisor_hostname",
                        host + ".example.org",
                        "state",
                        state,
                        "status",
                        "enabled",
                        "vcpus",
                        vcpus,
                        "memory_mb",
                        1_024 * vcpus,
                        "local_gb",
                        10 * vcpus,
                        "service",
                        Map.of("host", host)));
    }

    synchronized void aggregate(String name, @Nullable String zone, String host) {
        Map<String, @Nullable Object> shown = new TreeMap<>();
        shown.put("id", aggregates.size() + 1);
        shown.put("name", name);
        shown.put("availability_zone", zone);
        shown.put("metadata", Map.of());
        shown.put("hosts", List.of(host));
        aggregates.add(shown);
    }

    /** Adds a server that a user created from an image. */
    synchronized FakeServer server(String project, String status) {
        FakeServer server = new FakeServer(UUID.randomUUID().toString(), project);
        server.status = status;
        servers.put(server.id, server);
        return server;
    }

    synchronized Optional<FakeServer> find(String id) {
        return Optional.ofNullable(servers.get(id));
    }

    synchronized List<Image> images() {
        return List.copyOf(images);
    }

    /** Sets whether servers cannot be unshelved from now on. */
    synchronized void setFull(boolean isFull) {
        full = isFull;
    }

    /** Sets the response to actions of the project's user from now on; 0 restores it. */
    synchronized void refuseUsers(int status) {
        refusal = status;
    }

    /** Sets the number of queries until an action completes. */
    synchronized void takeTime(int looks) {
        time = looks;
    }

    @Override
    public void close() {
        cloud.close();
    }

    private synchronized Said glance(Asked request) {
        String wanted = request.query().get("leasehold_reservation");
        if (wanted == null) {
            throw new AssertionError(request);
        }
        return Said.json(
                200,
                Map.of(
                        "images",
                        images.stream()
                                .filter(image -> image.properties().containsValue(wanted))
                                .map(image -> Map.of("name", image.name()))
                                .toList()));
    }

    private synchronized Said nova(Asked request) {
        List<String> parts = request.parts();
        return switch (parts.get(1)) {
            case "os-availability-zone" -> Said.json(200, Map.of("availabilityZoneInfo", zones));
            case "os-aggregates" -> Said.json(200, Map.of("aggregates", aggregates));
            case "os-hypervisors" ->
                    Said.json(
                            200,
                            Map.of(
                                    "hypervisors",
                                    request.query().containsKey("marker")
                                            ? List.of()
                                            : hypervisors));
            case "servers" ->
                    parts.get(2).equals("detail") ? page(request) : server(request, parts);
            default -> throw new AssertionError(request);
        };
    }

    private Said page(Asked request) {
        assertVersion(request, FLAVOR_MICROVERSION);
        if (!request.query().containsKey("all_tenants")) {
            throw new AssertionError("only the asker's: " + request);
        }
        List<FakeServer> all = List.copyOf(servers.values());
        String marker = request.query().get("marker");
        int from =
                marker == null ? 0 : all.stream().map(each -> each.id).toList().indexOf(marker) + 1;
        int to = Math.min(from + PAGE, all.size());
        Map<String, Object> page = new TreeMap<>();
        page.put("servers", all.subList(from, to).stream().map(FakeServer::shown).toList());
        if (to < all.size()) {
            page.put("servers_links", List.of(Map.of("rel", "next")));
        }
        return Said.json(200, page);
    }

    private Said server(Asked request, List<String> parts) {
        FakeServer server = servers.get(parts.get(2));
        if (server == null) {
            return refused(404, "Instance " + parts.get(2) + " could not be found.");
        }
        if (request.method().equals("GET")) {
            assertVersion(request, FLAVOR_MICROVERSION);
            Said shown = Said.json(200, Map.of("server", server.shown()));
            if (server.pass()) {
                servers.remove(server.id);
            }
            return shown;
        }
        return parts.get(3).equals("metadata")
                ? metadata(request, server, parts)
                : act(request, server);
    }

    private Said metadata(Asked request, FakeServer server, List<String> parts) {
        requests.add(request.method() + " metadata");
        if (!WRITABLE.contains(server.status)) {
            return conflict(server, "update metadata");
        }
        if (request.method().equals("DELETE")) {
            return server.metadata.remove(parts.get(4)) == null
                    ? refused(404, "Metadata item was not found")
                    : Said.nothing(204);
        }
        request.body()
                .path("metadata")
                .propertyStream()
                .forEach(each -> server.metadata.put(each.getKey(), each.getValue().asString()));
        return Said.json(200, Map.of("metadata", server.metadata));
    }

    private Said act(Asked request, FakeServer server) {
        JsonNode body = request.body();
        String action = body.propertyNames().iterator().next();
        String asker = cloud.project(request);
        requests.add(action + " as " + asker);
        if (action.equals("forceDelete")) {
            server.begin("deleting", "", time);
            return Said.nothing(202);
        }
        Transition transition = TRANSITIONS.get(action);
        if (transition == null) {
            throw new AssertionError(request);
        }
        if (refusal > 0 && asker.equals(server.project)) {
            return refused(refusal, "No.");
        }
        // The user of a locked server can only have an image created.
        boolean isLocked = server.locked && !action.equals("createImage");
        if (isLocked && asker.equals(server.project)) {
            return refused(409, "Instance %s is locked".formatted(server.id));
        }
        if (!transition.from().contains(server.status) || server.task != null) {
            return conflict(server, action);
        }
        if (action.equals("createImage")) {
            JsonNode image = body.path(action);
            Map<String, String> properties = new TreeMap<>();
            image.path("metadata")
                    .propertyStream()
                    .forEach(each -> properties.put(each.getKey(), each.getValue().asString()));
            images.add(new Image(image.path("name").asString(), server.id, asker, properties));
            server.begin("image_snapshot", server.status, time);
        } else {
            JsonNode zone = body.path(action).path("availability_zone");
            if (zone.isString()) {
                assertVersion(request, "2.77");
                if (!server.status.equals("SHELVED_OFFLOADED")) {
                    return conflict(server, action);
                }
                server.zone = zone.asString();
            }
            boolean fails = full && action.equals("unshelve");
            server.begin(action, fails ? server.status : transition.to(), time);
        }
        return Said.nothing(202);
    }

    private static void assertVersion(Asked request, String wanted) {
        String version = request.headers().getOrDefault("openstack-api-version", "");
        if (!version.equals("compute " + wanted)) {
            throw new AssertionError("%s in the version %s".formatted(request, version));
        }
    }

    private static Said conflict(FakeServer server, String action) {
        return refused(
                409,
                "Cannot '%s' instance %s while it is in %s %s"
                        .formatted(
                                action,
                                server.id,
                                server.task == null ? "vm_state" : "task_state",
                                server.task == null ? server.status : server.task));
    }

    private static Said refused(int status, String message) {
        return Said.json(
                status, Map.of("conflictingRequest", Map.of("code", status, "message", message)));
    }
}
