package org.leasehold.resource.openstack.network;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A fake of Neutron for networks and their attachments. It stores things by id, as Neutron
 * represents them.
 */
final class FakeNeutronNetworks implements AutoCloseable {

    private static final String NETWORK = "network_id";
    private static final String OWNER = "device_owner";
    private static final String DEVICE = "device_id";
    private static final String INTERFACE = "network:router_interface";
    private static final String TYPE = "provider:network_type";
    private static final String PHYSICAL = "provider:physical_network";
    private static final String SEGMENT = "provider:segmentation_id";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final List<String> requests = new ArrayList<>();
    private final Map<String, Map<String, Thing>> things = new HashMap<>();
    private Instant now = Instant.parse("2030-01-01T00:00:30Z");
    private @Nullable Said nextCreation;

    FakeNeutronNetworks() {
        for (String kind : List.of("networks", "subnets", "ports", "routers", "floatingips")) {
            things.put(kind, new LinkedHashMap<>());
        }
        cloud.answer("network", this::answer);
    }

    /** Returns an operator's settings for this cloud. */
    Map<String, String> settings() {
        return cloud.settings();
    }

    /** Returns the requests that change something. */
    synchronized List<String> changes() {
        return requests.stream().filter(request -> !request.startsWith("GET")).toList();
    }

    synchronized List<Thing> networks() {
        return List.copyOf(all("networks").values());
    }

    synchronized List<Thing> subnets() {
        return List.copyOf(all("subnets").values());
    }

    synchronized List<Thing> ports() {
        return List.copyOf(all("ports").values());
    }

    synchronized List<Thing> routers() {
        return List.copyOf(all("routers").values());
    }

    /** Adds a network that an administrator created for a project. */
    synchronized Thing network(String type, String physical, int segment, String project) {
        Thing network = add("networks", project);
        network.put("name", "foreign");
        network.put(TYPE, type);
        network.put(PHYSICAL, physical);
        network.put(SEGMENT, segment);
        return network;
    }

    synchronized Thing subnet(Thing network, String cidr) {
        Thing subnet = add("subnets", network.text("project_id"));
        subnet.put(NETWORK, network.id());
        subnet.put("cidr", cidr);
        return subnet;
    }

    synchronized Thing port(Thing network, String owner, String device) {
        Thing port = add("ports", network.text("project_id"));
        port.put(NETWORK, network.id());
        port.put(OWNER, owner);
        port.put(DEVICE, device);
        return port;
    }

    /** Adds a router that its project created a second after all else. */
    synchronized Thing router(String project) {
        now = now.plusSeconds(1);
        Thing router = add("routers", project);
        router.put("routes", List.of());
        return router;
    }

    synchronized Thing connect(Thing router, Thing network) {
        return port(network, INTERFACE, router.id());
    }

    synchronized Thing floatingIp(Thing port) {
        Thing ip = add("floatingips", port.text("project_id"));
        ip.put("port_id", port.id());
        return ip;
    }

    synchronized void setTime(Instant instant) {
        now = instant;
    }

    /** Sets the response to the next request for a network. */
    synchronized void refuseNext(int status, String type) {
        nextCreation = refused(status, type);
    }

    @Override
    public void close() {
        cloud.close();
    }

    private synchronized Said answer(Asked request) {
        List<String> parts = request.parts();
        requests.add(request.method() + " " + String.join("/", parts.subList(2, parts.size())));
        String kind = parts.get(2);
        if (parts.size() == 3) {
            return request.method().equals("POST")
                    ? create(request.body().path("network"))
                    : Said.json(200, Map.of(kind, found(kind, request.query())));
        }
        Thing thing = all(kind).get(parts.get(3));
        if (thing == null) {
            return refused(404, "NotFound");
        }
        String one = kind.substring(0, kind.length() - 1);
        return switch (request.method() + " " + parts.getLast()) {
            case "PUT tags" -> {
                thing.put("tags", values(request.body()).get("tags"));
                yield Said.json(200, request.body());
            }
            case "PUT remove_router_interface" ->
                    disconnect(thing, request.body().path("port_id").asString());
            default ->
                    switch (request.method()) {
                        case "GET" -> Said.json(200, Map.of(one, thing.values));
                        case "PUT" -> {
                            thing.values.putAll(values(request.body().path(one)));
                            yield Said.json(200, Map.of(one, thing.values));
                        }
                        case "DELETE" -> delete(kind, thing);
                        default -> throw new AssertionError(request);
                    };
        };
    }

    private List<Map<String, @Nullable Object>> found(String kind, Map<String, String> query) {
        return all(kind).values().stream()
                .filter(thing -> query.entrySet().stream().allMatch(thing::answers))
                .map(thing -> thing.values)
                .toList();
    }

    private Said create(JsonNode wish) {
        Said instead = nextCreation;
        nextCreation = null;
        if (instead != null) {
            return instead;
        }
        // As the release of the testbed does.
        if (wish.has("tags") || wish.path(PHYSICAL).asString("").equals("nowhere")) {
            return refused(400, "InvalidInput");
        }
        boolean taken =
                networks().stream()
                        .anyMatch(
                                network ->
                                        Stream.of(TYPE, PHYSICAL, SEGMENT)
                                                .allMatch(part -> network.says(part, wish)));
        if (taken) {
            return refused(409, "VlanIdInUse");
        }
        Thing network = add("networks", wish.path("project_id").asString());
        network.put(PHYSICAL, null);
        network.values.putAll(values(wish));
        return Said.json(201, Map.of("network", network.values));
    }

    private Said disconnect(Thing router, String port) {
        Thing routerPort = all("ports").get(port);
        if (routerPort == null || !routerPort.has(DEVICE, router.id())) {
            return refused(404, "RouterInterfaceNotFound");
        }
        List<String> neighbours =
                ports().stream().filter(each -> each.isIn(routerPort)).map(Thing::id).toList();
        if (all("floatingips").values().stream()
                .anyMatch(ip -> neighbours.contains(ip.text("port_id")))) {
            return refused(409, "RouterInterfaceInUseByFloatingIP");
        }
        if (router.nexthops().anyMatch(nexthop -> nexthop.startsWith("10."))) {
            return refused(409, "RouterInterfaceInUseByRoute");
        }
        all("ports").remove(port);
        return Said.json(200, Map.of("id", router.id()));
    }

    private Said delete(String kind, Thing thing) {
        String refusal =
                switch (kind) {
                    case "ports" ->
                            thing.has(OWNER, INTERFACE)
                                            && all("routers").containsKey(thing.text(DEVICE))
                                    ? "ServicePortInUse"
                                    : "";
                    case "routers" ->
                            ports().stream().anyMatch(port -> port.has(DEVICE, thing.id()))
                                    ? "RouterInUse"
                                    : "";
                    case "networks" ->
                            ports().stream()
                                            .filter(port -> !port.has(OWNER, "network:dhcp"))
                                            .anyMatch(port -> port.has(NETWORK, thing.id()))
                                    ? "NetworkInUse"
                                    : "";
                    default -> throw new AssertionError(kind);
                };
        if (!refusal.isEmpty()) {
            return refused(409, refusal);
        }
        all(kind).remove(thing.id());
        for (String part : List.of("subnets", "ports")) {
            all(part).values().removeIf(each -> each.has(NETWORK, thing.id()));
        }
        all("floatingips").values().stream()
                .filter(ip -> ip.has("port_id", thing.id()))
                .forEach(ip -> ip.put("port_id", null));
        return Said.nothing(204);
    }

    private Map<String, Thing> all(String kind) {
        return Objects.requireNonNull(things.get(kind));
    }

    private Thing add(String kind, String project) {
        Thing thing = new Thing(new LinkedHashMap<>());
        String id = UUID.randomUUID().toString();
        thing.put("id", id);
        thing.put("project_id", project);
        thing.put("description", "");
        thing.put("tags", List.of());
        thing.put("created_at", now.toString());
        thing.put("admin_state_up", true);
        all(kind).put(id, thing);
        return thing;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> values(JsonNode json) {
        return JSON.convertValue(json, Map.class);
    }

    private static Said refused(int status, String type) {
        return Said.json(
                status,
                Map.of("NeutronError", Map.of("type", type, "message", type, "detail", "")));
    }

    /** Neutron's representation of a thing. */
    record Thing(Map<String, @Nullable Object> values) {

        String id() {
            return text("id");
        }

        /** Returns a field; empty without a value. */
        String text(String field) {
            return Objects.toString(values.get(field), "");
        }

        void put(String field, @Nullable Object value) {
            values.put(field, value);
        }

        List<?> tags() {
            return (List<?>) Objects.requireNonNull(values.get("tags"));
        }

        private boolean has(String field, String value) {
            return text(field).equals(value);
        }

        private boolean isIn(Thing network) {
            return has(NETWORK, network.text(NETWORK));
        }

        private boolean says(String field, JsonNode wish) {
            return has(field, wish.path(field).asString(""));
        }

        private Stream<String> nexthops() {
            return ((List<?>) Objects.requireNonNull(values.get("routes")))
                    .stream().map(route -> String.valueOf(((Map<?, ?>) route).get("nexthop")));
        }

        private boolean answers(Map.Entry<String, String> asked) {
            return asked.getKey().equals("tags")
                    ? tags().contains(asked.getValue())
                    : has(asked.getKey(), asked.getValue());
        }
    }
}
