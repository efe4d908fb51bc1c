package org.leasehold.resource.openstack.volume;

import java.util.Map;
import java.util.TreeMap;

/** Nova's data of a server. */
final class FakeVolumeServer {
    final String project;
    final Map<String, String> devices = new TreeMap<>();
    String status = "ACTIVE";

    /** True if its volumes are deleted with it. */
    boolean takesAlong;

    FakeVolumeServer(String project) {
        this.project = project;
    }

    Map<String, ?> shown(String id) {
        return Map.of(
                "id",
                id,
                "tenant_id",
                project,
                "status",
                status,
                "OS-EXT-SRV-ATTR:root_device_name",
                FakeVolumeServers.ROOT);
    }
}
