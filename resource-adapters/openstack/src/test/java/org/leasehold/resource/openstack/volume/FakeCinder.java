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
import java.util.UUID;

/**
 * A fake of Cinder, and of Nova for attachments. A slow action completes after a number of queries.
 */
final class FakeCinder implements AutoCloseable {

    static final String TRUST = "trust-of-p1";

    private static final int PAGE = 2;
    private static final List<String> DELETABLE =
            List.of("available", "error", "error_restoring", "error_extending", "error_managing");

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final List<String> requests = new ArrayList<>();
    private final Map<String, FakeVolume> volumes = new LinkedHashMap<>();
    private final FakeSnapshots snapshots = new FakeSnapshots();
    private final FakeVolumeTypes types = new FakeVolumeTypes();
    private final FakeVolumeServers servers = new FakeVolumeServers(volumes);
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
        types.add(name, backend);
    }

    synchronized void pool(String backend, Map<String, ?> capabilities) {
        types.addPool(backend, capabilities);
    }

    synchronized void clearPools() {
        types.clearPools();
    }

    /** Sets whether a type has no room from now on. */
    synchronized void setFull(String type, boolean isFull) {
        types.setFull(type, isFull);
    }

    /** Sets the number of queries until an action completes. */
    synchronized void takeTime(int looks) {
        patience = looks;
    }

    /** Sets the response to the next request that changes something. */
    synchronized void answerNext(int status, String message) {
        next = refused(status, message);
    }

    synchronized List<FakeVolume> volumes() {
        return List.copyOf(volumes.values());
    }

    synchronized List<FakeSnapshot> snapshots() {
        return snapshots.all();
    }

    /** Adds a volume that a user created. */
    synchronized FakeVolume volume(String type, int size, String project) {
        FakeVolume volume = new FakeVolume(UUID.randomUUID().toString(), type, size, project);
        volume.status = "available";
        volumes.put(volume.id, volume);
        return volume;
    }

    /** Attaches to a server, perhaps a new one, which then boots from {@code /dev/vda}. */
    synchronized FakeVolumeServer attach(FakeVolume volume, String server, String device) {
        attachByCinderAlone(volume, server);
        return servers.attach(volume, server, device);
    }

    /** Attaches without Nova, as a holder can for any server, existing or not. */
    synchronized void attachByCinderAlone(FakeVolume volume, String server) {
        volume.attachments.add(new FakeVolume.Attached(UUID.randomUUID().toString(), server));
        volume.status = "in-use";
    }

    /** Adds a server without volumes. */
    synchronized void server(String id, String project) {
        servers.add(id, project);
    }

    /** Deletes a volume as soon as a response has named it. */
    synchronized void flee(FakeVolume volume) {
        volume.fleeting = true;
    }

    synchronized void snapshot(FakeVolume volume, String project) {
        snapshots.add(volume, project, "available", Map.of());
    }

    /** Deletes a server in Nova only. */
    synchronized void forgetServer(String server) {
        servers.forget(server);
    }

    synchronized List<String> servers() {
        return servers.ids();
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
            case "types" -> Said.json(200, Map.of("volume_types", types.shown(request)));
            case "scheduler-stats" -> Said.json(200, Map.of("pools", types.pools()));
            case "snapshots" -> snapshots(request, parts);
            case "attachments" -> attachments(request, parts);
            case "volumes" -> parts.size() == 2 ? create(request) : volumes(request, parts);
            default -> throw new AssertionError(request);
        };
    }

    private Said create(Asked request) {
        JsonNode wish = request.body().path("volume");
        String type = wish.path("volume_type").asString();
        if (!types.contains(type)) {
            return refused(404, "Volume type with name " + type + " could not be found.");
        }
        FakeVolume volume = volume(type, wish.path("size").asInt(), cloud.project(request));
        volume.name = wish.path("name").asString();
        volume.description = wish.path("description").asString();
        wish.path("metadata")
                .propertyStream()
                .forEach(each -> volume.metadata.put(each.getKey(), each.getValue().asString()));
        volume.begin("creating", types.isFull(type) ? "error" : "available", patience);
        return Said.json(202, Map.of("volume", volume.shown()));
    }

    private Said volumes(Asked request, List<String> parts) {
        if (parts.get(2).equals("detail")) {
            return list(request);
        }
        FakeVolume volume = volumes.get(parts.get(2));
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
        List<FakeVolume> found =
                volumes.values().stream()
                        .filter(volume -> volume.answers(query.get("metadata")))
                        .toList();
        String marker = query.getOrDefault("marker", "");
        if (!marker.isEmpty() && !volumes.containsKey(marker)) {
            return refused(404, "Volume " + marker + " could not be found.");
        }
        List<FakeVolume> page =
                found.stream()
                        .dropWhile(volume -> !marker.isEmpty() && !volume.id.equals(marker))
                        .skip(marker.isEmpty() ? 0 : 1)
                        .limit(PAGE)
                        .toList();
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("volumes", page.stream().map(FakeVolume::shown).toList());
        if (page.size() == PAGE) {
            said.put("volumes_links", List.of(Map.of("rel", "next")));
        }
        volumes.values().removeIf(volume -> volume.fleeting && page.contains(volume));
        return Said.json(200, said);
    }

    private void look(FakeVolume volume) {
        if (!volume.goal.isEmpty() && volume.looks-- <= 0) {
            if (volume.goal.equals("gone")) {
                volumes.remove(volume.id);
                snapshots.removeOf(volume);
                servers.detach(volume);
            }
            volume.status = volume.goal;
            volume.size = Math.max(volume.size, volume.wanted);
            volume.goal = "";
        }
    }

    private Said delete(FakeVolume volume, Asked request) {
        boolean held = !request.query().containsKey("cascade") && snapshots.hasAnyOf(volume);
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

    private static Said metadata(FakeVolume volume, Asked request, List<String> parts) {
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
            FakeVolume volume = volumes.get(request.query().get("volume_id"));
            return Said.json(
                    200,
                    Map.of(
                            "attachments",
                            volume == null
                                    ? List.of()
                                    : volume.attachments.stream()
                                            .map(FakeVolume.Attached::shown)
                                            .toList()));
        }
        String attachment = parts.get(2);
        boolean known =
                volumes.values().stream()
                        .flatMap(volume -> volume.attachments.stream())
                        .anyMatch(attached -> attached.id().equals(attachment));
        if (!known) {
            return refused(404, "The resource could not be found.");
        }
        volumes.values().forEach(each -> each.detach(a -> a.id().equals(attachment)));
        return Said.json(200, Map.of("attachments", List.of()));
    }

    private Said act(FakeVolume volume, Asked request) {
        JsonNode body = request.body();
        if (body.has("os-extend")) {
            boolean inUse = volume.status.equals("in-use");
            String version = request.headers().getOrDefault("openstack-api-version", "");
            if (!volume.status.equals("available") && !(inUse && version.equals("volume 3.42"))) {
                return refused(400, "Volume status must be available to extend");
            }
            if (!types.isFull(volume.type)) {
                volume.wanted = body.path("os-extend").path("new_size").asInt();
            }
            volume.begin("extending", volume.status, patience);
            return Said.nothing(202);
        }
        throw new AssertionError(request);
    }

    private Said snapshots(Asked request, List<String> parts) {
        return switch (request.method()) {
            case "POST" -> {
                JsonNode wish = request.body().path("snapshot");
                FakeVolume volume =
                        Objects.requireNonNull(volumes.get(wish.path("volume_id").asString()));
                yield snapshots.create(
                        wish, volume, cloud.project(request), types.isFull(volume.type));
            }
            case "DELETE" -> snapshots.delete(parts.get(2));
            default -> snapshots.list(request.query().get("volume_id"));
        };
    }

    private synchronized Said nova(Asked request) {
        requests.add(request.method() + " " + String.join("/", request.parts()));
        return servers.answer(request);
    }

    static Said refused(int status, String message) {
        return Said.json(status, Map.of("badRequest", Map.of("code", status, "message", message)));
    }
}
