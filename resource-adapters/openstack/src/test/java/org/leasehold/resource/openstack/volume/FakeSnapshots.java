package org.leasehold.resource.openstack.volume;

import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A fake of Cinder's snapshots. */
final class FakeSnapshots {

    private final List<FakeSnapshot> snapshots = new ArrayList<>();

    List<FakeSnapshot> all() {
        return List.copyOf(snapshots);
    }

    void add(FakeVolume volume, String project, String status, Map<String, String> metadata) {
        create(volume, project, status, metadata);
    }

    private FakeSnapshot create(
            FakeVolume volume, String project, String status, Map<String, String> metadata) {
        FakeSnapshot snapshot =
                new FakeSnapshot(
                        UUID.randomUUID().toString(), volume.id, project, status, metadata);
        snapshots.add(snapshot);
        return snapshot;
    }

    boolean hasAnyOf(FakeVolume volume) {
        return snapshots.stream().anyMatch(each -> each.volume.equals(volume.id));
    }

    void removeOf(FakeVolume volume) {
        snapshots.removeIf(snapshot -> snapshot.volume.equals(volume.id));
    }

    /** Creates a snapshot as Cinder does on request. */
    Said create(JsonNode wish, FakeVolume volume, String project, boolean isFull) {
        if (!volume.status.equals("available")) {
            return FakeCinder.refused(400, "Volume status must be available");
        }
        Map<String, String> metadata = new TreeMap<>();
        wish.path("metadata")
                .propertyStream()
                .forEach(each -> metadata.put(each.getKey(), each.getValue().asString()));
        FakeSnapshot snapshot = create(volume, project, isFull ? "error" : "available", metadata);
        return Said.json(202, Map.of("snapshot", snapshot.shown()));
    }

    Said delete(String id) {
        snapshots.stream()
                .filter(snapshot -> snapshot.id.equals(id))
                .forEach(snapshot -> snapshot.status = "deleting");
        return Said.nothing(202);
    }

    /** Lists the snapshots of a volume; one that is being deleted is gone at the next query. */
    Said list(String volume) {
        Said result =
                Said.json(
                        200,
                        Map.of(
                                "snapshots",
                                snapshots.stream()
                                        .filter(each -> each.volume.equals(volume))
                                        .map(FakeSnapshot::shown)
                                        .toList()));
        snapshots.removeIf(snapshot -> snapshot.status.equals("deleting"));
        return result;
    }
}
