package org.leasehold.resource.openstack.neutron;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A fake of Neutron, with one external and one internal network. */
public final class FakeNeutron implements AutoCloseable {

    public static final String PUBLIC = "d119c903-6c81-4dcf-8605-e0840d03768b";
    public static final String PRIVATE = "0f6b2a4e-95f1-4e0c-8d7f-1f5c2b3a4d5e";
    public static final String SUBNET = "9c4ee732-1e43-4be9-9325-953175f28ae1";

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final List<String> requests = new ArrayList<>();
    private final Map<String, Ip> ips = new LinkedHashMap<>();
    private final Map<String, String> ports = new TreeMap<>();
    private Instant now = Instant.parse("2030-01-01T00:00:30Z");
    private @Nullable Said nextCreation;

    public FakeNeutron() {
        cloud.answer("network", this::answer);
    }

    /** Returns an operator's settings for this cloud. */
    public Map<String, String> settings() {
        return cloud.settings();
    }

    /** Returns the requests that change something. */
    public synchronized List<String> changes() {
        return requests.stream().filter(request -> !request.startsWith("GET")).toList();
    }

    public synchronized List<Ip> ips() {
        return List.copyOf(ips.values());
    }

    /** Adds a floating IP that an administrator created for a project. */
    public synchronized Ip ip(String address, String project) {
        Ip ip = new Ip(UUID.randomUUID().toString(), address, project, "", time());
        ips.put(ip.id, ip);
        return ip;
    }

    /** Adds a port, such as a router's, with an address of the external network. */
    public synchronized void port(String id, String address) {
        ports.put(id, address);
    }

    public synchronized void setTime(Instant instant) {
        now = instant;
    }

    /** Sets the response to the next request for a floating IP. */
    public synchronized void refuseNext(int status, String type) {
        nextCreation = refused(status, type);
    }

    @Override
    public void close() {
        cloud.close();
    }

    private synchronized Said answer(Asked request) {
        List<String> parts = request.parts();
        requests.add(request.method() + " " + String.join("/", parts));
        Map<String, String> query = request.query();
        return switch (parts.get(2)) {
            case "networks" -> network(parts.get(3));
            case "subnets" -> Said.json(200, Map.of("subnets", subnets(query)));
            case "ports" -> Said.json(200, Map.of("ports", ports(query)));
            case "floatingips" ->
                    parts.size() == 3
                            ? floatingIps(request, query)
                            : floatingIp(request, parts.get(3), parts.size() > 4);
            default -> refused(404, "HTTPNotFound");
        };
    }

    private static Said network(String id) {
        return switch (id) {
            case PUBLIC, PRIVATE ->
                    Said.json(
                            200,
                            Map.of(
                                    "network",
                                    Map.of("id", id, "router:external", id.equals(PUBLIC))));
            default -> refused(404, "NetworkNotFound");
        };
    }

    private static List<Map<String, ?>> subnets(Map<String, String> query) {
        return query.get("network_id").equals(PUBLIC)
                ? List.of(
                        Map.of(
                                "id",
                                SUBNET,
                                "cidr",
                                "172.24.4.0/24",
                                "gateway_ip",
                                "172.24.4.1",
                                "allocation_pools",
                                List.of(Map.of("start", "172.24.4.10", "end", "172.24.4.99"))))
                : List.of();
    }

    private List<Map<String, String>> ports(Map<String, String> query) {
        String address = query.get("fixed_ips").replace("ip_address=", "");
        List<Map<String, String>> found = new ArrayList<>();
        ports.forEach(
                (id, known) -> {
                    if (known.equals(address)) {
                        found.add(Map.of("id", id, "device_owner", "network:router_gateway"));
                    }
                });
        ips.values().stream()
                .filter(ip -> ip.address.equals(address))
                .forEach(
                        ip ->
                                found.add(
                                        Map.of(
                                                "id",
                                                "of-" + ip.id,
                                                "device_owner",
                                                "network:floatingip")));
        return found;
    }

    private Said floatingIps(Asked request, Map<String, String> query) {
        if (request.method().equals("POST")) {
            Said instead = nextCreation;
            nextCreation = null;
            return instead == null ? create(request.body().path("floatingip")) : instead;
        }
        return Said.json(
                200,
                Map.of(
                        "floatingips",
                        ips.values().stream()
                                .filter(ip -> matches(ip, query))
                                .map(Ip::shown)
                                .toList()));
    }

    private static boolean matches(Ip ip, Map<String, String> query) {
        return query.entrySet().stream()
                .allMatch(
                        each ->
                                switch (each.getKey()) {
                                    case "tags" -> ip.tags.contains(each.getValue());
                                    case "description" -> ip.description.equals(each.getValue());
                                    case "floating_network_id" -> each.getValue().equals(PUBLIC);
                                    case "floating_ip_address" ->
                                            ip.address.equals(each.getValue());
                                    default -> throw new AssertionError(each.getKey());
                                });
    }

    private Said create(JsonNode wish) {
        // As the release of the testbed does.
        if (wish.has("tags")) {
            return refused(400, "HTTPBadRequest");
        }
        if (!wish.path("floating_network_id").asString().equals(PUBLIC)) {
            return refused(404, "NetworkNotFound");
        }
        String address = wish.path("floating_ip_address").asString();
        if (ips.values().stream().anyMatch(ip -> ip.address.equals(address))
                || ports.containsValue(address)) {
            return refused(409, "IpAddressAlreadyAllocated");
        }
        Ip ip = ip(address, wish.path("project_id").asString());
        ip.description = wish.path("description").asString();
        ip.subnet = wish.path("subnet_id").stringValue(null);
        return Said.json(201, Map.of("floatingip", ip.shown()));
    }

    private Said floatingIp(Asked request, String id, boolean tags) {
        Ip ip = ips.get(id);
        if (ip == null) {
            return refused(404, "FloatingIPNotFound");
        }
        if (request.method().equals("DELETE")) {
            ips.remove(id);
            return Said.nothing(204);
        }
        if (!tags || !request.method().equals("PUT")) {
            throw new AssertionError(request);
        }
        ip.tags.clear();
        request.body().path("tags").forEach(tag -> ip.tags.add(tag.asString()));
        return Said.json(200, Map.of("tags", ip.tags));
    }

    private String time() {
        // Neutron's times are whole seconds.
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Said refused(int status, String type) {
        return Said.json(
                status,
                Map.of("NeutronError", Map.of("type", type, "message", type, "detail", "")));
    }

    public static final class Ip {
        public final String id;
        public final String address;
        public final String project;
        public final TreeSet<String> tags = new TreeSet<>();
        private final String createdAt;
        public String description;
        public @Nullable String subnet;
        public @Nullable String port;

        Ip(String id, String address, String project, String description, String createdAt) {
            this.id = id;
            this.address = address;
            this.project = project;
            this.description = description;
            this.createdAt = createdAt;
        }

        private Map<String, @Nullable Object> shown() {
            Map<String, @Nullable Object> shown = new LinkedHashMap<>();
            shown.put("id", id);
            shown.put("floating_network_id", PUBLIC);
            shown.put("floating_ip_address", address);
            shown.put("project_id", project);
            shown.put("description", description);
            shown.put("tags", List.copyOf(tags));
            shown.put("created_at", createdAt);
            shown.put("port_id", port);
            return shown;
        }
    }
}
