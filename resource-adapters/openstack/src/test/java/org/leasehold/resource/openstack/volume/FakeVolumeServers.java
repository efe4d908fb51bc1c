package org.leasehold.resource.openstack.volume;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A fake of Nova's servers with attached volumes. */
final class FakeVolumeServers {

    static final String ROOT = "/dev/vda";

    private final Map<String, FakeVolume> volumes;
    private final Map<String, FakeVolumeServer> servers = new TreeMap<>();

    /**
     * Creates servers.
     *
     * @param volumes the volumes by id; a deleted server may take volumes along
     */
    FakeVolumeServers(Map<String, FakeVolume> volumes) {
        this.volumes = volumes;
    }

    void add(String id, String project) {
        servers.put(id, new FakeVolumeServer(project));
    }

    FakeVolumeServer attach(FakeVolume volume, String server, String device) {
        FakeVolumeServer target =
                servers.computeIfAbsent(server, _ -> new FakeVolumeServer(volume.project));
        target.devices.put(volume.id, device);
        return target;
    }

    void detach(FakeVolume volume) {
        servers.values().forEach(server -> server.devices.remove(volume.id));
    }

    void forget(String server) {
        servers.remove(server);
    }

    List<String> ids() {
        return List.copyOf(servers.keySet());
    }

    Said answer(Asked request) {
        List<String> parts = request.parts();
        String id = parts.get(2);
        FakeVolumeServer server = servers.get(id);
        if (server == null) {
            return FakeCinder.refused(404, "Instance " + id + " could not be found.");
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
        for (FakeVolume volume : List.copyOf(volumes.values())) {
            volume.detach(attached -> attached.server().equals(id));
            if (server.devices.containsKey(volume.id) && server.takesAlong) {
                volumes.remove(volume.id);
            }
        }
        return Said.nothing(202);
    }

    private Said attachment(
            Asked request, String version, FakeVolumeServer server, String id, String volumeId) {
        String device = server.devices.get(volumeId);
        if (device == null) {
            return FakeCinder.refused(404, "Instance is not attached to volume");
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
                    return FakeCinder.refused(
                            409, "Cannot 'detach_volume' while it is in vm_state suspended");
                }
                if (device.equals(ROOT)) {
                    return FakeCinder.refused(400, "Cannot detach a root device volume");
                }
                server.devices.remove(volumeId);
                Objects.requireNonNull(volumes.get(volumeId))
                        .detach(each -> each.server().equals(id));
                return Said.nothing(202);
            }
        }
    }

    private static void assertVersion(String given, String wanted) {
        if (!given.equals(wanted)) {
            throw new AssertionError("the version is %s, not %s".formatted(given, wanted));
        }
    }
}
