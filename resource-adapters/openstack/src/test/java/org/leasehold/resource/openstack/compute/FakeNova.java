package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.placement.FakePlacement;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;
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
import java.util.TreeSet;
import java.util.UUID;

/**
 * A fake of Nova and Glance, with hosts whose compute services and hypervisors have different
 * names.
 */
public final class FakeNova implements AutoCloseable {

    private static final int MAX_HYPERVISORS = 3;
    private static final int MAX_SERVERS = 3;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final List<String> requests = new ArrayList<>();

    private final Map<String, Host> hosts = new TreeMap<>();
    private final Map<Integer, Group> groups = new TreeMap<>();
    private Runnable meanwhile = () -> {};
    private String defaultZone = "nova";
    private int zoneFailure;
    private final Map<String, Guest> guests = new LinkedHashMap<>();
    private final List<Map<String, Object>> images = new ArrayList<>();
    private final FakeNovaFlavors flavors = new FakeNovaFlavors();
    private final FakeServerGroups serverGroups = new FakeServerGroups();
    private final FakePlacement placement = new FakePlacement();
    private final List<String> exposed = new ArrayList<>();
    private int lastGroup;

    public FakeNova(List<String> names) {
        names.forEach(name -> hosts.put(name, new Host(name, serviceOf(name))));
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

    public synchronized Host host(String name) {
        return Objects.requireNonNull(hosts.get(name));
    }

    public synchronized void forget(String name) {
        hosts.remove(name);
    }

    public synchronized void forgetGroup(String name) {
        groups.values().removeIf(group -> group.name.equals(name));
    }

    public synchronized Group group(String name) {
        return groups.values().stream()
                .filter(group -> group.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    public synchronized List<String> groupNames() {
        return groups.values().stream().map(group -> group.name).sorted().toList();
    }

    public synchronized void group(String name, String zone, String... members) {
        Group group = new Group(++lastGroup, name, zone);
        for (String member : members) {
            group.hosts.add(serviceOf(member));
        }
        group.syncKnownHosts();
        groups.put(group.id, group);
    }

    public synchronized Guest boot(String name, String project, String host) {
        Guest guest = new Guest(UUID.randomUUID().toString(), name, project, serviceOf(host), "1");
        guests.put(guest.id, guest);
        return guest;
    }

    /** Sets an action that runs at the next query for servers. */
    public synchronized void meanwhile(Runnable what) {
        meanwhile = what;
    }

    /** Boots by a reservation's flavor; empty if Nova hides that, or finds no host. */
    public synchronized Optional<Guest> boot(
            String name, String project, ReservationId reservation) {
        Flavor flavor = flavors.flavor(reservation.toString());
        if (flavor == null || !flavor.projects.contains(project)) {
            return Optional.empty();
        }
        return hosts.values().stream()
                .filter(host -> isKnownIn(reservation.toString(), host.service))
                .filter(host -> placement.names().contains(partOf(host.service)))
                .filter(host -> placement.take(partOf(host.service), flavor.slot()))
                .findFirst()
                .map(
                        host -> {
                            String id = UUID.randomUUID().toString();
                            Guest guest =
                                    new Guest(
                                            id,
                                            name,
                                            project,
                                            host.service,
                                            reservation.toString());
                            guest.extraSpecs.putAll(flavor.extraSpecs);
                            guest.slot = Optional.of(flavor.slot());
                            guests.put(id, guest);
                            return guest;
                        });
    }

    /** Returns hosts that left a group while schedulers knew them in no other: open to all. */
    public synchronized List<String> exposed() {
        return List.copyOf(exposed);
    }

    private boolean isKnownIn(String group, String host) {
        return groups.values().stream()
                .anyMatch(each -> each.name.equals(group) && each.known.contains(host));
    }

    private String partOf(String service) {
        return ResourceProvider.reservablePartOf(nameOf(service));
    }

    private String nameOf(String service) {
        return hosts.values().stream()
                .filter(host -> host.service.equals(service))
                .findFirst()
                .orElseThrow()
                .name;
    }

    /** Creates a flavor as an operator does, with the fields of Nova's request. */
    public synchronized Flavor makeFlavor(String id, Map<String, ?> fields) {
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

    public synchronized Flavor flavor(String id) {
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
        return guests.values().stream().map(guest -> guest.name).toList();
    }

    public synchronized List<String> guestsOn(String host) {
        return guests.values().stream()
                .filter(guest -> guest.host.equals(serviceOf(host)))
                .map(guest -> guest.name)
                .toList();
    }

    /** Completes slow images. */
    public synchronized void finishImages() {
        images.forEach(image -> image.put("status", "active"));
    }

    public synchronized List<Map<String, Object>> images() {
        return List.copyOf(images);
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
            case "os-aggregates" -> aggregates(request, parts);
            case "os-server-groups" ->
                    serverGroups.answer(request, parts, query, cloud.project(request));
            case "servers" ->
                    request.method().equals("GET")
                            ? servers(query, includesFlavors(request))
                            : act(parts.get(1), request.body());
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
        return Said.json(200, Map.of("images", images(query(uri))));
    }

    /**
     * Returns the zones of enabled hosts, as Nova groups them; the last one has no compute host.
     */
    private List<Map<String, Object>> zones() {
        Map<String, Map<String, Object>> hostsByZone = new TreeMap<>();
        for (Host host : hosts.values()) {
            String zone =
                    groups.values().stream()
                            .filter(group -> group.zone != null)
                            .filter(group -> group.hosts.contains(host.service))
                            .map(group -> group.zone)
                            .findFirst()
                            .orElse(defaultZone);
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
                        .sorted(Comparator.comparing(Host::id))
                        .limit(MAX_HYPERVISORS)
                        .map(host -> shown(host, query.containsKey("with_servers")))
                        .toList();
        return found.isEmpty() && query.containsKey("hypervisor_hostname_pattern")
                ? refused(404, "No hypervisor matching could be found.")
                : Said.json(200, Map.of("hypervisors", found));
    }

    private Map<String, Object> shown(Host host, boolean withServers) {
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
                guests.values().stream()
                        .filter(guest -> guest.host.equals(host.service))
                        .map(guest -> Map.of("uuid", guest.id, "name", "instance-1"))
                        .toList();
        // Before 2.75 an empty list is left out.
        if (withServers && !servers.isEmpty()) {
            shown.put("servers", servers);
        }
        return shown;
    }

    private Said aggregates(Asked request, List<String> parts) {
        String method = request.method();
        JsonNode body = request.body();
        if (parts.size() == 1) {
            return method.equals("GET")
                    ? Said.json(
                            200,
                            Map.of(
                                    "aggregates",
                                    groups.values().stream().map(Group::shown).toList()))
                    : createGroup(body.path("aggregate"));
        }
        Group group = groups.get(Integer.parseInt(parts.get(1)));
        if (group == null) {
            return refused(404, "Aggregate could not be found.");
        }
        if (method.equals("DELETE")) {
            if (!group.hosts.isEmpty()) {
                return refused(400, "The aggregate is not empty.");
            }
            groups.remove(group.id);
            return Said.nothing(200);
        }
        return act(group, body);
    }

    private Said createGroup(JsonNode wish) {
        String name = wish.path("name").asString();
        if (groups.values().stream().anyMatch(group -> group.name.equals(name))) {
            return refused(409, "Aggregate " + name + " already exists.");
        }
        Group group =
                new Group(++lastGroup, name, wish.path("availability_zone").stringValue(null));
        groups.put(group.id, group);
        Map<String, Object> shown = group.shown();
        shown.remove("hosts");
        shown.remove("metadata");
        return Said.json(200, Map.of("aggregate", shown));
    }

    private Said act(Group group, JsonNode body) {
        if (body.has("set_metadata")) {
            body.path("set_metadata")
                    .path("metadata")
                    .propertyStream()
                    .forEach(each -> group.metadata.put(each.getKey(), each.getValue().asString()));
            group.syncKnownHosts();
            return group.reply();
        }
        if (body.has("remove_host")) {
            return remove(group, body.path("remove_host").path("host").asString());
        }
        String host = body.path("add_host").path("host").asString();
        if (hosts.values().stream().noneMatch(each -> each.service.equals(host))) {
            return refused(404, "Compute host " + host + " could not be found.");
        }
        boolean inOtherZone =
                group.zone != null
                        && groups.values().stream()
                                .filter(each -> each != group && each.zone != null)
                                .anyMatch(each -> each.hosts.contains(host));
        if (inOtherZone || !group.hosts.add(host)) {
            return refused(409, "The host is in an availability zone, or already in there.");
        }
        return group.reply();
    }

    private Said remove(Group group, String host) {
        if (!group.hosts.remove(host)) {
            return refused(404, "Cannot remove host in aggregate");
        }
        group.known.remove(host);
        if (groups.values().stream().noneMatch(each -> each.known.contains(host))) {
            exposed.add(host);
        }
        return group.reply();
    }

    private static boolean includesFlavors(Asked request) {
        return request.headers().getOrDefault("openstack-api-version", "").equals("compute 2.47");
    }

    private Said servers(Map<String, String> query, boolean withFlavors) {
        meanwhile.run();
        meanwhile = () -> {};
        String marker = query.getOrDefault("marker", "");
        // For an unknown flavor Nova finds no servers, although there are some.
        String ofFlavor = query.get("flavor");
        boolean known = ofFlavor == null || flavors.flavor(ofFlavor) != null;
        List<Map<String, Object>> found =
                guests.values().stream()
                        .filter(guest -> isOrNone(query.get("host"), guest.host))
                        .filter(guest -> known && isOrNone(ofFlavor, guest.flavor))
                        .sorted(Comparator.comparing(guest -> guest.id))
                        .filter(guest -> guest.id.compareTo(marker) > 0)
                        .limit(MAX_SERVERS)
                        .map(
                                guest ->
                                        Map.of(
                                                "id", guest.id,
                                                "name", guest.name,
                                                "tenant_id", guest.project,
                                                "status", guest.status,
                                                "OS-EXT-SRV-ATTR:hypervisor_hostname",
                                                        guest.isPlaced ? nameOf(guest.host) : "",
                                                "flavor",
                                                        withFlavors
                                                                ? Map.of(
                                                                        "vcpus",
                                                                        guest.vcpus,
                                                                        "extra_specs",
                                                                        Map.copyOf(
                                                                                guest.extraSpecs))
                                                                : Map.of("id", guest.flavor)))
                        .toList();
        // A server that is being deleted is gone at the next query, unless it is stubborn.
        List<Guest> gone =
                guests.values().stream()
                        .filter(guest -> guest.deleting && !guest.stubborn)
                        .toList();
        gone.forEach(guest -> guests.remove(guest.id));
        gone.forEach(
                guest ->
                        guest.slot.ifPresent(slot -> placement.giveBack(partOf(guest.host), slot)));
        return Said.json(
                200,
                found.size() < MAX_SERVERS
                        ? Map.of("servers", found)
                        : Map.of(
                                "servers", found, "servers_links", List.of(Map.of("rel", "next"))));
    }

    private static boolean isOrNone(@Nullable String wanted, String found) {
        return wanted == null || wanted.equals(found);
    }

    private Said act(String id, JsonNode body) {
        Guest guest = guests.get(id);
        if (guest == null) {
            return refused(404, "Instance could not be found.");
        }
        if (body.has("forceDelete")) {
            if (guest.locked) {
                return refused(409, "Cannot 'forceDelete' instance " + id + " while it is locked.");
            }
            guest.deleting = true;
            return Said.nothing(202);
        }
        if (guest.busy) {
            return refused(409, "Cannot 'createImage' instance while it is in task_state.");
        }
        JsonNode wish = body.path("createImage");
        Map<String, Object> image = new LinkedHashMap<>();
        image.put("name", wish.path("name").asString());
        image.put("status", guest.slow ? "queued" : "active");
        wish.path("metadata")
                .propertyStream()
                .forEach(each -> image.put(each.getKey(), each.getValue().asString()));
        images.add(image);
        return Said.nothing(202);
    }

    private List<Map<String, Object>> images(Map<String, String> query) {
        return images.stream()
                .filter(
                        image ->
                                query.entrySet().stream()
                                        .filter(each -> !each.getKey().equals("limit"))
                                        .allMatch(
                                                each ->
                                                        each.getValue()
                                                                .equals(image.get(each.getKey()))))
                .toList();
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

    public static final class Host {
        public final String name;
        public final String service;
        public String type = "QEMU";
        public long memoryMb = 262_144;
        public boolean up = true;
        public boolean enabled = true;
        public List<String> features = List.of();

        Host(String name, String service) {
            this.name = name;
            this.service = service;
        }

        public String id() {
            return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
        }
    }

    public static final class Flavor {
        public final String name;
        public final long vcpus;
        public final long ram;
        public final long disk;
        public final long ephemeral;
        public final long swap;
        public final boolean isPublic;
        public final Map<String, String> extraSpecs = new TreeMap<>();
        public final TreeSet<String> projects = new TreeSet<>();

        Flavor(JsonNode wish) {
            name = wish.path("name").asString();
            vcpus = wish.path("vcpus").longValue();
            ram = wish.path("ram").longValue();
            disk = wish.path("disk").longValue();
            ephemeral = wish.path("OS-FLV-EXT-DATA:ephemeral").longValue(0);
            swap = wish.path("swap").longValue(0);
            isPublic = wish.path("os-flavor-access:is_public").booleanValue(true);
        }

        /** Returns the representation since microversion 2.61. */
        Map<String, Object> shown(String id) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", id);
            shown.put("name", name);
            shown.put("vcpus", vcpus);
            shown.put("ram", ram);
            shown.put("disk", disk);
            shown.put("OS-FLV-EXT-DATA:ephemeral", ephemeral);
            // Before 2.75 no swap is an empty text.
            shown.put("swap", swap == 0 ? "" : swap);
            shown.put("os-flavor-access:is_public", isPublic);
            shown.put("extra_specs", Map.copyOf(extraSpecs));
            return shown;
        }

        private String slot() {
            return extraSpecs.keySet().stream()
                    .filter(name -> name.startsWith("resources:CUSTOM_RESERVATION_"))
                    .findFirst()
                    .orElseThrow()
                    .replace("resources:", "");
        }
    }

    public static final class Group {
        public final int id;
        public final String name;
        public final String zone;
        public final Map<String, String> metadata = new TreeMap<>();
        public final TreeSet<String> hosts = new TreeSet<>();

        /**
         * The hosts that schedulers know in it. They may miss hosts that are added in parallel,
         * until the whole group is announced.
         */
        private final TreeSet<String> known = new TreeSet<>();

        Group(int id, String name, String zone) {
            this.id = id;
            this.name = name;
            this.zone = zone;
        }

        private void syncKnownHosts() {
            known.clear();
            known.addAll(hosts);
        }

        Map<String, Object> shown() {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", id);
            shown.put("name", name);
            shown.put("availability_zone", zone);
            shown.put("created_at", "2026-11-21T10:00:00.123456");
            shown.put("deleted", false);
            shown.put("metadata", Map.copyOf(metadata));
            shown.put("hosts", List.copyOf(hosts));
            return shown;
        }

        Said reply() {
            return Said.json(200, Map.of("aggregate", shown()));
        }
    }

    public record ServerGroup(String id, String name, String policy, String project) {}

    public static final class Guest {
        public final String id;
        public final String name;
        public final String project;
        public final String host;
        public final String flavor;

        /** Its flavor's, at the time of its creation. */
        public final Map<String, String> extraSpecs = new TreeMap<>();

        /** The class of which it takes one, from its flavor. */
        private Optional<String> slot = Optional.empty();

        public String status = "ACTIVE";
        public boolean deleting;
        public boolean stubborn;

        /** True if Nova refuses to delete it. */
        public boolean locked;

        public boolean busy;
        public int vcpus = 1;

        /** False until the scheduler has found a host. */
        public boolean isPlaced = true;

        /** True if its images are slow. */
        public boolean slow;

        Guest(String id, String name, String project, String host, String flavor) {
            this.flavor = flavor;
            this.id = id;
            this.name = name;
            this.project = project;
            this.host = host;
        }
    }
}
