package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nova's data of an aggregate. */
public final class FakeAggregate {
    public final int id;
    public final String name;
    public final String zone;
    public final Map<String, String> metadata = new TreeMap<>();
    public final TreeSet<String> hosts = new TreeSet<>();

    /**
     * The hosts that schedulers know in it. They may miss hosts that are added in parallel, until
     * the whole group is announced.
     */
    final TreeSet<String> known = new TreeSet<>();

    FakeAggregate(int id, String name, String zone) {
        this.id = id;
        this.name = name;
        this.zone = zone;
    }

    void syncKnownHosts() {
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
