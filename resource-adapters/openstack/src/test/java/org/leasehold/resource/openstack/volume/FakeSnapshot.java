package org.leasehold.resource.openstack.volume;

import java.util.Map;

/** Cinder's data of a snapshot. */
final class FakeSnapshot {
    final String id;
    final String volume;
    final String project;
    final Map<String, String> metadata;
    String status;

    FakeSnapshot(
            String id, String volume, String project, String status, Map<String, String> metadata) {
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

    Map<String, ?> shown() {
        return Map.of("id", id, "volume_id", volume, "status", status, "metadata", metadata);
    }
}
