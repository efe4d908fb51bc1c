package org.leasehold.resource.openstack.volume;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A fake of Cinder's volume types, and of the pools in which volumes are. */
final class FakeVolumeTypes {

    private final Map<String, String> types = new TreeMap<>();
    private final List<Map<String, ?>> pools = new ArrayList<>();
    private final List<String> full = new ArrayList<>();

    void add(String name, String backend) {
        types.put(name, backend);
    }

    void addPool(String backend, Map<String, ?> capabilities) {
        Map<String, Object> all = new TreeMap<>(capabilities);
        all.put("volume_backend_name", backend);
        pools.add(Map.of("name", "host@" + backend + "#" + backend, "capabilities", all));
    }

    void clearPools() {
        pools.clear();
    }

    /** Sets whether a type has no room from now on. */
    void setFull(String type, boolean isFull) {
        full.remove(type);
        if (isFull) {
            full.add(type);
        }
    }

    boolean isFull(String type) {
        return full.contains(type);
    }

    boolean contains(String type) {
        return types.containsKey(type);
    }

    List<Map<String, ?>> pools() {
        return pools;
    }

    List<Map<String, ?>> shown(Asked request) {
        if (!request.query().equals(Map.of("is_public", "None"))) {
            throw new AssertionError("types are not listed: " + request);
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
}
