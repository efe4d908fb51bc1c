package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;

/** Nova's data of a server. */
final class FakeServer {
    final String id;
    final String project;
    final Map<String, String> metadata = new TreeMap<>();
    String name = "web";
    String status = "";
    String zone = "nova";
    String host = "nova-7";
    @Nullable String reservation;
    @Nullable String user;
    boolean fromVolume;
    boolean locked;
    @Nullable String task;
    String goal = "";
    int looks;
    Runnable sequel = () -> {};

    FakeServer(String id, String project) {
        this.id = id;
        this.project = project;
        this.user = "user-of-" + project;
    }

    /** Begins to unshelve it, and runs an action after that. */
    void unshelving(Runnable then) {
        begin("spawning", "ACTIVE", 2);
        sequel = then;
    }

    void begin(String doing, String then, int time) {
        task = doing;
        goal = then;
        looks = time;
    }

    /** Counts a query; returns true if the server is gone then. */
    boolean pass() {
        if (task == null || looks-- > 0) {
            return false;
        }
        task = null;
        status = goal;
        sequel.run();
        return goal.isEmpty();
    }

    Map<String, ?> shown() {
        Map<String, @Nullable Object> shown = new TreeMap<>();
        shown.put("id", id);
        shown.put("name", name);
        shown.put("status", status);
        shown.put("locked", locked);
        shown.put("tenant_id", project);
        shown.put("user_id", user);
        shown.put("metadata", metadata);
        shown.put("image", fromVolume ? "" : Map.of("id", "image-1"));
        shown.put("OS-EXT-AZ:availability_zone", status.equals("SHELVED_OFFLOADED") ? "" : zone);
        shown.put("OS-EXT-STS:task_state", task);
        shown.put("created", "2030-01-01T00:00:00Z");
        shown.put("OS-EXT-SRV-ATTR:host", host);
        Map<String, Object> flavor = new TreeMap<>();
        flavor.put("original_name", "m1.medium");
        flavor.putAll(Map.of("vcpus", 2, "ram", 4096, "disk", 20, "ephemeral", 5, "swap", 1025));
        if (reservation != null) {
            flavor.put(
                    "extra_specs",
                    Map.of("aggregate_instance_extra_specs:reservation", reservation));
        }
        shown.put("flavor", flavor);
        return shown;
    }
}
