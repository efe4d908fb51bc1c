package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A fake of Nova's aggregates. */
final class FakeAggregates {

    private final Predicate<String> isHost;
    private final Map<Integer, FakeAggregate> groups = new TreeMap<>();
    private final List<String> exposed = new ArrayList<>();
    private int lastGroup;

    /**
     * Creates aggregates.
     *
     * @param isHost whether a compute service has this name
     */
    FakeAggregates(Predicate<String> isHost) {
        this.isHost = isHost;
    }

    void forget(String name) {
        groups.values().removeIf(group -> group.name.equals(name));
    }

    FakeAggregate find(String name) {
        return groups.values().stream()
                .filter(group -> group.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<String> names() {
        return groups.values().stream().map(group -> group.name).sorted().toList();
    }

    void add(String name, String zone, String... members) {
        FakeAggregate group = new FakeAggregate(++lastGroup, name, zone);
        for (String member : members) {
            group.hosts.add(FakeNova.serviceOf(member));
        }
        group.syncKnownHosts();
        groups.put(group.id, group);
    }

    /** Returns hosts that left a group while schedulers knew them in no other: open to all. */
    List<String> exposed() {
        return List.copyOf(exposed);
    }

    boolean isKnownIn(String group, String host) {
        return groups.values().stream()
                .anyMatch(each -> each.name.equals(group) && each.known.contains(host));
    }

    /** Returns the zone of a host; empty if it is in no aggregate with a zone. */
    Optional<String> zoneOf(String host) {
        return groups.values().stream()
                .filter(group -> group.zone != null)
                .filter(group -> group.hosts.contains(host))
                .map(group -> group.zone)
                .findFirst();
    }

    Said answer(Asked request, List<String> parts) {
        String method = request.method();
        JsonNode body = request.body();
        if (parts.size() == 1) {
            return method.equals("GET")
                    ? Said.json(
                            200,
                            Map.of(
                                    "aggregates",
                                    groups.values().stream().map(FakeAggregate::shown).toList()))
                    : create(body.path("aggregate"));
        }
        FakeAggregate group = groups.get(Integer.parseInt(parts.get(1)));
        if (group == null) {
            return FakeNova.refused(404, "Aggregate could not be found.");
        }
        if (method.equals("DELETE")) {
            if (!group.hosts.isEmpty()) {
                return FakeNova.refused(400, "The aggregate is not empty.");
            }
            groups.remove(group.id);
            return Said.nothing(200);
        }
        return act(group, body);
    }

    private Said create(JsonNode wish) {
        String name = wish.path("name").asString();
        if (groups.values().stream().anyMatch(group -> group.name.equals(name))) {
            return FakeNova.refused(409, "Aggregate " + name + " already exists.");
        }
        FakeAggregate group =
                new FakeAggregate(
                        ++lastGroup, name, wish.path("availability_zone").stringValue(null));
        groups.put(group.id, group);
        Map<String, Object> shown = group.shown();
        shown.remove("hosts");
        shown.remove("metadata");
        return Said.json(200, Map.of("aggregate", shown));
    }

    private Said act(FakeAggregate group, JsonNode body) {
        if (body.has("set_metadata")) {
            body.path("set_metadata")
                    .path("metadata")
                    .propertyStream()
                    .forEach(each -> group.metadata.put(each.getKey(), each.getValue().asString()));
            group.syncKnownHosts();
            return group.reply();
        }
        if (body.has("remove_host")) {
            return remove(group, body.path("remove_host").path("host").asString());
        }
        String host = body.path("add_host").path("host").asString();
        if (!isHost.test(host)) {
            return FakeNova.refused(404, "Compute host " + host + " could not be found.");
        }
        boolean inOtherZone =
                group.zone != null
                        && groups.values().stream()
                                .filter(each -> each != group && each.zone != null)
                                .anyMatch(each -> each.hosts.contains(host));
        if (inOtherZone || !group.hosts.add(host)) {
            return FakeNova.refused(
                    409, "The host is in an availability zone, or already in there.");
        }
        return group.reply();
    }

    private Said remove(FakeAggregate group, String host) {
        if (!group.hosts.remove(host)) {
            return FakeNova.refused(404, "Cannot remove host in aggregate");
        }
        group.known.remove(host);
        if (groups.values().stream().noneMatch(each -> each.known.contains(host))) {
            exposed.add(host);
        }
        return group.reply();
    }
}
