package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.placement.FakePlacement;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.json.JsonMapper;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A fake of Nova and Glance, with hosts whose compute services and hypervisors have different
 * names.
 */
public final class FakeNova implements AutoCloseable {

    private static final int MAX_HYPERVISORS = 3;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final List<String> requests = new ArrayList<>();

    private final Map<String, FakeHost> hosts = new TreeMap<>();
    private String defaultZone = "nova";
    private int zoneFailure;
    private final FakeNovaFlavors flavors = new FakeNovaFlavors();
    private final FakeServerGroups serverGroups = new FakeServerGroups();
    private final FakePlacement placement = new FakePlacement();
    private final FakeAggregates aggregates = new FakeAggregates(this::isHost);
    private final FakeServerMoves moves =
            new FakeServerMoves(placement, this::findHost, aggregates);
    private final FakeGuests guests = new FakeGuests(flavors, placement, this::nameOf, moves);

    public FakeNova(List<String> names) {
        names.forEach(name -> hosts.put(name, new FakeHost(name, serviceOf(name))));
        hosts.values().forEach(host -> placement.addRoot(host.id(), host.name));
        cloud.answer("placement", this::placement);
        cloud.answer("compute", this::compute);
        cloud.answer("image", this::image);
    }

    /** Sets the operator's name of the zone of hosts without another. */
    public synchronized void nameDefaultZone(String name) {
        defaultZone = name;
    }

    /** Lets requests for zones fail with a status. */
    public synchronized void failZones(int status) {
        zoneFailure = status;
    }

    public static String serviceOf(String name) {
        return name + ".example";
    }

    /** Returns an operator's settings for this cloud. */
    public Map<String, String> settings() {
        return cloud.settings();
    }

    /** Returns the requests, without the logins. */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    public synchronized FakeHost host(String name) {
        return Objects.requireNonNull(hosts.get(name));
    }

    public synchronized void forget(String name) {
        hosts.remove(name);
    }

    public synchronized void forgetGroup(String name) {
        aggregates.forget(name);
    }

    public synchronized FakeAggregate group(String name) {
        return aggregates.find(name);
    }

    public synchronized List<String> groupNames() {
        return aggregates.names();
    }

    public synchronized void group(String name, String zone, String... members) {
        aggregates.add(name, zone, members);
    }

    public synchronized FakeGuest boot(String name, String project, String host) {
        return guests.boot(name, project, host);
    }

    /** Sets an action that runs at the next query for servers. */
    public synchronized void meanwhile(Runnable what) {
        guests.meanwhile(what);
    }

    /** Boots by a reservation's flavor; empty if Nova hides that, or finds no host. */
    public synchronized Optional<FakeGuest> boot(
            String name, String project, ReservationId reservation) {
        String id = reservation.toString();
        FakeFlavor flavor = flavors.flavor(id);
        if (flavor == null || !flavor.projects.contains(project)) {
            return Optional.empty();
        }
        List<String> services =
                hosts.values().stream()
                        .map(host -> host.service)
                        .filter(service -> aggregates.isKnownIn(id, service))
                        .toList();
        return guests.bootInSlot(name, project, id, services);
    }

    /** Returns hosts that left a group while schedulers knew them in no other: open to all. */
    public synchronized List<String> exposed() {
        return aggregates.exposed();
    }

    private boolean isHost(String service) {
        return hosts.values().stream().anyMatch(host -> host.service.equals(service));
    }

    private String nameOf(String service) {
        return findHost(service).name;
    }

    private FakeHost findHost(String service) {
        return hosts.values().stream()
                .filter(host -> host.service.equals(service))
                .findFirst()
                .orElseThrow();
    }

    /** Creates a flavor as an operator does, with the fields of Nova's request. */
    public synchronized FakeFlavor makeFlavor(String id, Map<String, ?> fields) {
        return flavors.make(id, JSON.valueToTree(fields));
    }

    /** Deletes a flavor during a listing, after it was the last one of a page. */
    public synchronized void flee(String id) {
        flavors.flee(id);
    }

    public synchronized void forgetFlavor(String id) {
        flavors.forget(id);
    }

    /** Creates a server group of this name in a project. */
    public synchronized void serverGroup(String name, String project) {
        serverGroups.make(name, "affinity", project);
    }

    /** Sets the quota of server groups of a project. */
    public synchronized void serverGroupQuota(int groups) {
        serverGroups.quota(groups);
    }

    public synchronized FakeFlavor flavor(String id) {
        return Objects.requireNonNull(flavors.flavor(id));
    }

    public synchronized List<String> flavors() {
        return flavors.ids();
    }

    public synchronized List<ServerGroup> serverGroups() {
        return serverGroups.groups();
    }

    /** Deletes all server groups, as an administrator can. */
    public synchronized void forgetServerGroups() {
        serverGroups.forget();
    }

    /** Returns the cloud with the trusts in the engine. */
    public FakeOpenStack keystone() {
        return cloud;
    }

    public FakePlacement placement() {
        return placement;
    }

    public synchronized List<String> guests() {
        return guests.names();
    }

    public synchronized List<String> guestsOn(String host) {
        return guests.namesOn(host);
    }

    /** Returns the servers on a host. */
    public synchronized List<FakeGuest> serversOn(String host) {
        return guests.of(serviceOf(host));
    }

    /** Completes slow images. */
    public synchronized void finishImages() {
        guests.finishImages();
    }

    public synchronized List<Map<String, Object>> images() {
        return guests.images();
    }

    @Override
    public void close() {
        cloud.close();
    }

    private synchronized Said compute(Asked request) {
        URI uri = URI.create(request.path());
        requests.add(request.method() + " " + uri.getPath());
        Map<String, String> query = query(uri);
        List<String> parts = List.of(uri.getPath().substring(1).split("/"));
        return switch (parts.getFirst()) {
            case "os-hypervisors" -> hypervisors(query);
            case "os-availability-zone" ->
                    zoneFailure > 0
                            ? refused(zoneFailure, "No zones are listed.")
                            : Said.json(200, Map.of("availabilityZoneInfo", zones()));
            case "flavors" -> flavors.answer(request, parts);
            case "os-migrations" -> moves.list(query);
            case "os-aggregates" -> aggregates.answer(request, parts);
            case "os-server-groups" ->
                    serverGroups.answer(request, parts, query, cloud.project(request));
            case "servers" ->
                    request.method().equals("GET")
                            ? guests.list(query, includesFlavors(request))
                            : guests.act(parts.get(1), request.body());
            default -> refused(404, "no such address: " + uri.getPath());
        };
    }

    private synchronized Said placement(Asked request) {
        requests.add(request.method() + " " + URI.create(request.path()).getPath());
        return placement.answer(request);
    }

    private synchronized Said image(Asked request) {
        URI uri = URI.create(request.path());
        requests.add(request.method() + " " + uri.getPath());
        return Said.json(200, Map.of("images", guests.images(query(uri))));
    }

    /**
     * Returns the zones of enabled hosts, as Nova groups them; the last one has no compute host.
     */
    private List<Map<String, Object>> zones() {
        Map<String, Map<String, Object>> hostsByZone = new TreeMap<>();
        for (FakeHost host : hosts.values()) {
            String zone = aggregates.zoneOf(host.service).orElse(defaultZone);
            if (host.enabled) {
                hostsByZone
                        .computeIfAbsent(zone, _ -> new TreeMap<>())
                        .put(host.service, Map.of("nova-compute", Map.of("active", host.up)));
            }
        }
        hostsByZone.put(
                "internal", Map.of("controller", Map.of("nova-conductor", Map.of("active", true))));
        List<Map<String, Object>> zones = new ArrayList<>();
        hostsByZone.forEach((name, ofZone) -> zones.add(Map.of("zoneName", name, "hosts", ofZone)));
        return zones;
    }

    private Said hypervisors(Map<String, String> query) {
        List<Map<String, Object>> found =
                hosts.values().stream()
                        .filter(
                                host ->
                                        host.name.contains(
                                                query.getOrDefault(
                                                        "hypervisor_hostname_pattern", "")))
                        .filter(host -> host.id().compareTo(query.getOrDefault("marker", "")) > 0)
                        .sorted(Comparator.comparing(FakeHost::id))
                        .limit(MAX_HYPERVISORS)
                        .map(host -> shown(host, query.containsKey("with_servers")))
                        .toList();
        return found.isEmpty() && query.containsKey("hypervisor_hostname_pattern")
                ? refused(404, "No hypervisor matching could be found.")
                : Said.json(200, Map.of("hypervisors", found));
    }

    private Map<String, Object> shown(FakeHost host, boolean withServers) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", host.id());
        shown.put("hypervisor_hostname", host.name);
        shown.put("state", host.up ? "up" : "down");
        shown.put("status", host.enabled ? "enabled" : "disabled");
        shown.put("service", Map.of("id", "1", "host", host.service));
        shown.put("hypervisor_type", host.type);
        shown.put("hypervisor_version", 8_002_002);
        shown.put("vcpus", 64);
        shown.put("memory_mb", host.memoryMb);
        shown.put("local_gb", 4_000);
        Map<String, Object> cpu = new LinkedHashMap<>();
        cpu.put("arch", "x86_64");
        if (!host.features.isEmpty()) {
            cpu.put("features", host.features);
        }
        shown.put("cpu_info", cpu);
        List<Map<String, String>> servers =
                guests.of(host.service).stream()
                        .map(guest -> Map.of("uuid", guest.id, "name", "instance-1"))
                        .toList();
        // Before 2.75 an empty list is left out.
        if (withServers && !servers.isEmpty()) {
            shown.put("servers", servers);
        }
        return shown;
    }

    private static boolean includesFlavors(Asked request) {
        return request.headers().getOrDefault("openstack-api-version", "").equals("compute 2.47");
    }

    static Said refused(int status, String message) {
        return Said.json(status, Map.of("refusal", Map.of("code", status, "message", message)));
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new TreeMap<>();
        String text = uri.getRawQuery();
        for (String each : text == null ? new String[0] : text.split("&")) {
            String[] pair = each.split("=", 2);
            query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    public record ServerGroup(String id, String name, String policy, String project) {}
}
