package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Cinder's data of a volume. */
final class FakeVolume {
    final String id;
    String type;
    final String project;
    final Map<String, String> metadata = new TreeMap<>();
    final List<Attached> attachments = new ArrayList<>();
    int size;
    String name = "";
    String description = "";
    String status = "";
    String goal = "";
    int wanted;
    int looks;
    boolean fleeting;

    FakeVolume(String id, String type, int size, String project) {
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

    void detach(Predicate<Attached> which) {
        attachments.removeIf(which);
        if (attachments.isEmpty() && List.of("in-use", "reserved").contains(status)) {
            status = "available";
        }
    }

    /** Returns whether it matches Cinder's filter, in Python's notation. */
    boolean answers(@Nullable String wanted) {
        return wanted == null
                || metadata.entrySet().stream()
                        .anyMatch(
                                each ->
                                        wanted.equals(
                                                "{'%s': '%s'}"
                                                        .formatted(
                                                                each.getKey(), each.getValue())));
    }

    Map<String, ?> shown() {
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

    /** An attachment of a volume. */
    record Attached(String id, String server) {

        Map<String, ?> shown() {
            return Map.of("id", id, "instance", server, "status", "attached");
        }
    }
}
