package org.leasehold.resource.openstack.volume;

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
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A fake of Cinder, and of Nova for attachments. A slow action completes after a number of queries.
 */
final class FakeCinder implements AutoCloseable {

    static final String TRUST = "trust-of-p1";

    private static final String ROOT = "/dev/vda";
    private static final int PAGE = 2;
    private static final List<String> DELETABLE =
            List.of("available", "error", "error_restoring", "error_extending", "error_managing");

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final List<String> requests = new ArrayList<>();
    private final Map<String, Volume> volumes = new LinkedHashMap<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final Map<String, String> types = new TreeMap<>();
    private final List<Map<String, ?>> pools = new ArrayList<>();
    private final Map<String, Server> servers = new TreeMap<>();
    private final List<String> full = new ArrayList<>();
    private int patience;
    private @Nullable Said next;

    FakeCinder() {
        for (String name : List.of("gold", "silver", "bronze")) {
            type(name, name + "-backend");
            pool(name + "-backend", Map.of("total_capacity_gb", 1000, "free_capacity_gb", 1000));
        }
        cloud.trust(TRUST, "p1");
        cloud.answer("volumev3", this::cinder);
        cloud.answer("compute", this::nova);
    }

    /** Returns an operator's settings for this cloud. */
    Map<String, String> settings() {
        return cloud.settings();
    }

    FakeOpenStack keystone() {
        return cloud;
    }

    /** Returns the requests that change something. */
    synchronized List<String> changes() {
        return requests.stream().filter(request -> !request.startsWith("GET")).toList();
    }

    synchronized void type(String name, String backend) {
        types.put(name, backend);
    }

    synchronized void pool(String backend, Map<String, ?> capabilities) {
        Map<String, Object> all = new TreeMap<>(capabilities);
        all.put("volume_backend_name", backend);
        pools.add(Map.of("name", "host@" + backend + "#" + backend, "capabilities", all));
    }

    synchronized void clearPools() {
        pools.clear();
    }

    /** Sets whether a type has no room from now on. */
    synchronized void setFull(String type, boolean isFull) {
        full.remove(type);
        if (isFull) {
            full.add(type);
        }
    }

    /** Sets the number of queries until an action completes. */
    synchronized void takeTime(int looks) {
        patience = looks;
    }

    /** Sets the response to the next request that changes something. */
    synchronized void answerNext(int status, String message) {
        next = refused(status, message);
    }

    synchronized List<Volume> volumes() {
        return List.copyOf(volumes.values());
    }

    synchronized List<Snapshot> snapshots() {
        return List.copyOf(snapshots);
    }

    /** Adds a volume that a user created. */
    synchronized Volume volume(String type, int size, String project) {
        Volume volume = new Volume(UUID.randomUUID().toString(), type, size, project);
        volume.status = "available";
        volumes.put(volume.id, volume);
        return volume;
    }

    /** Attaches to a server, perhaps a new one, which then boots from {@code /dev/vda}. */
    synchronized Server attach(Volume volume, String server, String device) {
        attachByCinderAlone(volume, server);
        Server target = servers.computeIfAbsent(server, _ -> new Server(volume.project));
        target.devices.put(volume.id, device);
        return target;
    }

    /** Attaches without Nova, as a holder can for any server, existing or not. */
    synchronized void attachByCinderAlone(Volume volume, String server) {
        volume.attachments.add(new Attached(UUID.randomUUID().toString(), server));
        volume.status = "in-use";
    }

    /** Adds a server without volumes. */
    synchronized void server(String id, String project) {
        servers.put(id, new Server(project));
    }

    /** Deletes a volume as soon as a response has named it. */
    synchronized void flee(Volume volume) {
        volume.fleeting = true;
    }

    synchronized void snapshot(Volume volume, String project) {
        snapshots.add(
                new Snapshot(
                        UUID.randomUUID().toString(), volume.id, project, "available", Map.of()));
    }

    /** Deletes a server in Nova only. */
    synchronized void forgetServer(String server) {
        servers.remove(server);
    }

    synchronized List<String> servers() {
        return List.copyOf(servers.keySet());
    }

    @Override
    public void close() {
        cloud.close();
    }

    private synchronized Said cinder(Asked request) {
        List<String> parts = request.parts();
        requests.add(request.method() + " " + String.join("/", parts));
        Said instead = next;
        if (instead != null && !request.method().equals("GET")) {
            next = null;
            return instead;
        }
        return switch (parts.get(1)) {
            case "types" -> Said.json(200, Map.of("volume_types", shownTypes(request)));
            case "scheduler-stats" -> Said.json(200, Map.of("pools", pools));
            case "snapshots" -> snapshots(request, parts);
            case "attachments" -> attachments(request, parts);
            case "volumes" -> parts.size() == 2 ? create(request) : volumes(request, parts);
            default -> throw new AssertionError(request);
        };
    }

    private List<Map<String, ?>> shownTypes(Asked request) {
        if (!request.query().equals(Map.of("is_public", "None"))) {
            throw new AssertionError("private types are not listed: " + request);
        }
        List<Map<String, ?>> shown = new ArrayList<>();
        types.forEach(
                (name, backend) ->
                        shown.add(
                                Map.of(
                                        "name",
                                        name,
                                        "extra_specs",
                                        backend.isEmpty()
                                                ? Map.of()
                                                : Map.of("volume_backend_name", backend))));
        return shown;
    }

    private Said create(Asked request) {
        JsonNode wish = request.body().path("volume");
        String type = wish.path("volume_type").asString();
        if (!types.containsKey(type)) {
            return refused(404, "Volume type with name " + type + " could not be found.");
        }
        Volume volume = volume(type, wish.path("size").asInt(), cloud.project(request));
        volume.name = wish.path("name").asString();
        volume.description = wish.path("description").asString();
        wish.path("metadata")
                .propertyStream()
                .forEach(each -> volume.metadata.put(each.getKey(), each.getValue().asString()));
        volume.begin("creating", full.contains(type) ? "error" : "available", patience);
        return Said.json(202, Map.of("volume", volume.shown()));
    }

    private Said volumes(Asked request, List<String> parts) {
        if (parts.get(2).equals("detail")) {
            return list(request);
        }
        Volume volume = volumes.get(parts.get(2));
        if (volume == null) {
            return refused(404, "Volume " + parts.get(2) + " could not be found.");
        }
        if (parts.size() == 3) {
            if (request.method().equals("DELETE")) {
                return delete(volume, request);
            }
            look(volume);
            return volumes.containsKey(volume.id)
                    ? Said.json(200, Map.of("volume", volume.shown()))
                    : refused(404, "Volume " + volume.id + " could not be found.");
        }
        return parts.get(3).equals("metadata")
                ? metadata(volume, request, parts)
                : act(volume, request);
    }

    private Said list(Asked request) {
        Map<String, String> query = request.query();
        if (!query.containsKey("all_tenants")) {
            throw new AssertionError("only the asker's: " + request);
        }
        List.copyOf(volumes.values()).forEach(this::look);
        List<Volume> found =
                volumes.values().stream()
                        .filter(volume -> volume.answers(query.get("metadata")))
                        .toList();
        String marker = query.getOrDefault("marker", "");
        if (!marker.isEmpty() && !volumes.containsKey(marker)) {
            return refused(404, "Volume " + marker + " could not be found.");
        }
        List<Volume> page =
                found.stream()
                        .dropWhile(volume -> !marker.isEmpty() && !volume.id.equals(marker))
                        .skip(marker.isEmpty() ? 0 : 1)
                        .limit(PAGE)
                        .toList();
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("volumes", page.stream().map(Volume::shown).toList());
        if (page.size() == PAGE) {
            said.put("volumes_links", List.of(Map.of("rel", "next")));
        }
        volumes.values().removeIf(volume -> volume.fleeting && page.contains(volume));
        return Said.json(200, said);
    }

    private void look(Volume volume) {
        if (!volume.goal.isEmpty() && volume.looks-- <= 0) {
            if (volume.goal.equals("gone")) {
                volumes.remove(volume.id);
                snapshots.removeIf(snapshot -> snapshot.volume.equals(volume.id));
                servers.values().forEach(server -> server.devices.remove(volume.id));
            }
            volume.status = volume.goal;
            volume.size = Math.max(volume.size, volume.wanted);
            volume.goal = "";
        }
    }

    private Said delete(Volume volume, Asked request) {
        boolean held =
                !request.query().containsKey("cascade")
                        && snapshots.stream().anyMatch(each -> each.volume.equals(volume.id));
        boolean forced =
                request.query().containsKey("force")
                        && "volume 3.23".equals(request.headers().get("openstack-api-version"));
        boolean deletable = forced || DELETABLE.contains(volume.status);
        if (!deletable || !volume.attachments.isEmpty() || held) {
            return refused(400, "Volume status must be available or error");
        }
        volume.begin("deleting", "gone", patience);
        return Said.nothing(202);
    }

    private static Said metadata(Volume volume, Asked request, List<String> parts) {
        if (volume.status.equals("uploading")) {
            return refused(400, "Volume status must not be uploading to change its metadata");
        }
        if (request.method().equals("DELETE")) {
            return volume.metadata.remove(parts.get(4)) == null
                    ? refused(404, "Metadata item was not found")
                    : Said.nothing(200);
        }
        request.body()
                .path("metadata")
                .propertyStream()
                .forEach(each -> volume.metadata.put(each.getKey(), each.getValue().asString()));
        return Said.json(200, Map.of("metadata", volume.metadata));
    }

    private Said attachments(Asked request, List<String> parts) {
        if (!"volume 3.27".equals(request.headers().get("openstack-api-version"))) {
            return refused(404, "The resource could not be found.");
        }
        if (request.method().equals("GET")) {
            if (!request.query().containsKey("all_tenants")) {
                throw new AssertionError("only the asker's: " + request);
            }
            Volume volume = volumes.get(request.query().get("volume_id"));
            return Said.json(
                    200,
                    Map.of(
                            "attachments",
                            volume == null
                                    ? List.of()
                                    : volume.attachments.stream().map(Attached::shown).toList()));
        }
        String attachment = parts.get(2);
        boolean known =
                volumes.values().stream()
                        .flatMap(volume -> volume.attachments.stream())
                        .anyMatch(attached -> attached.id.equals(attachment));
        if (!known) {
            return refused(404, "The resource could not be found.");
        }
        volumes.values().forEach(each -> each.detach(a -> a.id.equals(attachment)));
        return Said.json(200, Map.of("attachments", List.of()));
    }

    private Said act(Volume volume, Asked request) {
        JsonNode body = request.body();
        if (body.has("os-extend")) {
            boolean inUse = volume.status.equals("in-use");
            String version = request.headers().getOrDefault("openstack-api-version", "");
            if (!volume.status.equals("available") && !(inUse && version.equals("volume 3.42"))) {
                return refused(400, "Volume status must be available to extend");
            }
            if (!full.contains(volume.type)) {
                volume.wanted = body.path("os-extend").path("new_size").asInt();
            }
            volume.begin("extending", volume.status, patience);
            return Said.nothing(202);
        }
        throw new AssertionError(request);
    }

    private Said snapshots(Asked request, List<String> parts) {
        if (request.method().equals("POST")) {
            JsonNode wish = request.body().path("snapshot");
            Volume volume = Objects.requireNonNull(volumes.get(wish.path("volume_id").asString()));
            if (!volume.status.equals("available")) {
                return refused(400, "Volume status must be available");
            }
            Map<String, String> metadata = new TreeMap<>();
            wish.path("metadata")
                    .propertyStream()
                    .forEach(each -> metadata.put(each.getKey(), each.getValue().asString()));
            Snapshot snapshot =
                    new Snapshot(
                            UUID.randomUUID().toString(),
                            volume.id,
                            cloud.project(request),
                            full.contains(volume.type) ? "error" : "available",
                            metadata);
            snapshots.add(snapshot);
            return Said.json(202, Map.of("snapshot", snapshot.shown()));
        }
        if (request.method().equals("DELETE")) {
            snapshots.stream()
                    .filter(snapshot -> snapshot.id.equals(parts.get(2)))
                    .forEach(snapshot -> snapshot.status = "deleting");
            return Said.nothing(202);
        }
        Map<String, String> query = request.query();
        Said result =
                Said.json(
                        200,
                        Map.of(
                                "snapshots",
                                snapshots.stream()
                                        .filter(each -> each.volume.equals(query.get("volume_id")))
                                        .map(Snapshot::shown)
                                        .toList()));
        snapshots.removeIf(snapshot -> snapshot.status.equals("deleting"));
        return result;
    }

    private synchronized Said nova(Asked request) {
        List<String> parts = request.parts();
        requests.add(request.method() + " " + String.join("/", parts));
        String id = parts.get(2);
        Server server = servers.get(id);
        if (server == null) {
            return refused(404, "Instance " + id + " could not be found.");
        }
        String version = request.headers().getOrDefault("openstack-api-version", "");
        if (parts.size() > 3 && parts.get(3).equals("os-volume_attachments")) {
            return attachment(request, version, server, id, parts.get(4));
        }
        if (request.method().equals("GET")) {
            return Said.json(200, Map.of("server", server.shown(id)));
        }
        if (request.body().has("resume")) {
            server.status = "ACTIVE";
            return Said.nothing(202);
        }
        servers.remove(id);
        for (Volume volume : List.copyOf(volumes.values())) {
            volume.detach(attached -> attached.server.equals(id));
            if (server.devices.containsKey(volume.id) && server.takesAlong) {
                volumes.remove(volume.id);
            }
        }
        return Said.nothing(202);
    }

    private Said attachment(
            Asked request, String version, Server server, String id, String volumeId) {
        String device = server.devices.get(volumeId);
        if (device == null) {
            return refused(404, "Instance is not attached to volume");
        }
        switch (request.method()) {
            case "GET" -> {
                assertVersion(version, "compute 2.79");
                return Said.json(
                        200,
                        Map.of(
                                "volumeAttachment",
                                Map.of(
                                        "volumeId",
                                        volumeId,
                                        "device",
                                        device,
                                        "delete_on_termination",
                                        server.takesAlong)));
            }
            case "PUT" -> {
                assertVersion(version, "compute 2.85");
                server.takesAlong =
                        request.body()
                                .path("volumeAttachment")
                                .path("delete_on_termination")
                                .asBoolean();
                return Said.nothing(202);
            }
            default -> {
                assertVersion(version, "compute 2.20");
                if (server.status.equals("SUSPENDED")) {
                    return refused(409, "Cannot 'detach_volume' while it is in vm_state suspended");
                }
                if (device.equals(ROOT)) {
                    return refused(400, "Cannot detach a root device volume");
                }
                server.devices.remove(volumeId);
                Objects.requireNonNull(volumes.get(volumeId))
                        .detach(each -> each.server.equals(id));
                return Said.nothing(202);
            }
        }
    }

    private static void assertVersion(String given, String wanted) {
        if (!given.equals(wanted)) {
            throw new AssertionError("the version is %s, not %s".formatted(given, wanted));
        }
    }

    private static Said refused(int status, String message) {
        return Said.json(status, Map.of("badRequest", Map.of("code", status, "message", message)));
    }

    /** An attachment of a volume. */
    record Attached(String id, String server) {

        private Map<String, ?> shown() {
            return Map.of("id", id, "instance", server, "status", "attached");
        }
    }

    /** Nova's data of a server. */
    static final class Server {
        private final String project;
        private final Map<String, String> devices = new TreeMap<>();
        String status = "ACTIVE";

        /** True if its volumes are deleted with it. */
        boolean takesAlong;

        private Server(String project) {
            this.project = project;
        }

        private Map<String, ?> shown(String id) {
            return Map.of(
                    "id",
                    id,
                    "tenant_id",
                    project,
                    "status",
                    status,
                    "OS-EXT-SRV-ATTR:root_device_name",
                    ROOT);
        }
    }

    /** Cinder's data of a snapshot. */
    static final class Snapshot {
        private final String id;
        private final String volume;
        private final String project;
        private final Map<String, String> metadata;
        String status;

        private Snapshot(
                String id,
                String volume,
                String project,
                String status,
                Map<String, String> metadata) {
            this.id = id;
            this.volume = volume;
            this.project = project;
            this.status = status;
            this.metadata = metadata;
        }

        String volume() {
            return volume;
        }

        String project() {
            return project;
        }

        private Map<String, ?> shown() {
            return Map.of("id", id, "volume_id", volume, "status", status, "metadata", metadata);
        }
    }

    /** Cinder's data of a volume. */
    static final class Volume {
        final String id;
        String type;
        final String project;
        final Map<String, String> metadata = new TreeMap<>();
        final List<Attached> attachments = new ArrayList<>();
        int size;
        String name = "";
        String description = "";
        String status = "";
        private String goal = "";
        private int wanted;
        private int looks;
        private boolean fleeting;

        private Volume(String id, String type, int size, String project) {
            this.id = id;
            this.type = type;
            this.size = size;
            this.project = project;
        }

        void begin(String busy, String then, int time) {
            status = busy;
            goal = then;
            looks = time;
        }

        private void detach(Predicate<Attached> which) {
            attachments.removeIf(which);
            if (attachments.isEmpty() && List.of("in-use", "reserved").contains(status)) {
                status = "available";
            }
        }

        /** Returns whether it matches Cinder's filter, in Python's notation. */
        private boolean answers(@Nullable String wanted) {
            return wanted == null
                    || metadata.entrySet().stream()
                            .anyMatch(
                                    each ->
                                            wanted.equals(
                                                    "{'%s': '%s'}"
                                                            .formatted(
                                                                    each.getKey(),
                                                                    each.getValue())));
        }

        private Map<String, ?> shown() {
            return Map.of(
                    "id", id,
                    "name", name,
                    "volume_type", type,
                    "size", size,
                    "status", status,
                    "metadata", metadata,
                    "user_id", "user-of-" + project,
                    "os-vol-tenant-attr:tenant_id", project);
        }
    }
}
