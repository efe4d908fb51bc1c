package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.placement.FakePlacement;
import org.leasehold.resource.openstack.placement.ResourceProvider;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A fake of Nova's servers on hosts, and of their images in Glance. */
final class FakeGuests {

    private static final int MAX_SERVERS = 3;

    private final FakeNovaFlavors flavors;
    private final FakePlacement placement;
    private final UnaryOperator<String> nameOf;
    private final Map<String, FakeGuest> guests = new LinkedHashMap<>();
    private final List<Map<String, Object>> images = new ArrayList<>();
    private final FakeServerMoves moves;
    private Runnable meanwhile = () -> {};

    /**
     * Creates servers.
     *
     * @param nameOf the host of a compute service
     */
    FakeGuests(
            FakeNovaFlavors flavors,
            FakePlacement placement,
            UnaryOperator<String> nameOf,
            FakeServerMoves moves) {
        this.moves = moves;
        this.flavors = flavors;
        this.placement = placement;
        this.nameOf = nameOf;
    }

    /** Sets an action that runs at the next query for servers. */
    void meanwhile(Runnable what) {
        meanwhile = what;
    }

    FakeGuest boot(String name, String project, String host) {
        return add(name, project, FakeNova.serviceOf(host), "1");
    }

    private FakeGuest add(String name, String project, String service, String flavor) {
        FakeGuest guest =
                new FakeGuest(UUID.randomUUID().toString(), name, project, service, flavor);
        guests.put(guest.id, guest);
        return guest;
    }

    /** Boots on a host by the flavor of a reservation, if the host has a free slot of it. */
    Optional<FakeGuest> bootInSlot(
            String name, String project, String flavorName, List<String> services) {
        FakeFlavor flavor = flavors.flavor(flavorName);
        return services.stream()
                .filter(service -> placement.names().contains(partOf(service)))
                .filter(service -> placement.take(partOf(service), flavor.slot()))
                .findFirst()
                .map(
                        service -> {
                            FakeGuest guest = add(name, project, service, flavorName);
                            guest.extraSpecs.putAll(flavor.extraSpecs);
                            guest.slot = Optional.of(flavor.slot());
                            return guest;
                        });
    }

    private String partOf(String service) {
        return ResourceProvider.reservablePartOf(nameOf.apply(service));
    }

    List<String> names() {
        return guests.values().stream().map(guest -> guest.name).toList();
    }

    List<String> namesOn(String host) {
        return guests.values().stream()
                .filter(guest -> guest.host.equals(FakeNova.serviceOf(host)))
                .map(guest -> guest.name)
                .toList();
    }

    /** Returns the servers of a compute service. */
    List<FakeGuest> of(String service) {
        return guests.values().stream().filter(guest -> guest.host.equals(service)).toList();
    }

    /** Completes slow images. */
    void finishImages() {
        images.forEach(image -> image.put("status", "active"));
    }

    List<Map<String, Object>> images() {
        return List.copyOf(images);
    }

    Said list(Map<String, String> query, boolean withFlavors) {
        meanwhile.run();
        meanwhile = () -> {};
        String marker = query.getOrDefault("marker", "");
        // For an unknown flavor Nova finds no servers, although there are some.
        String ofFlavor = query.get("flavor");
        boolean known = ofFlavor == null || flavors.flavor(ofFlavor) != null;
        List<Map<String, Object>> found =
                guests.values().stream()
                        .filter(guest -> isOrNone(query.get("host"), guest.host))
                        .filter(guest -> known && isOrNone(ofFlavor, guest.flavor))
                        .sorted(Comparator.comparing(guest -> guest.id))
                        .filter(guest -> guest.id.compareTo(marker) > 0)
                        .limit(MAX_SERVERS)
                        .map(guest -> shown(guest, withFlavors))
                        .toList();
        moves.settle();
        // A server that is being deleted is gone at the next query, unless it is stubborn.
        List<FakeGuest> gone =
                guests.values().stream()
                        .filter(guest -> guest.deleting && !guest.stubborn)
                        .toList();
        gone.forEach(guest -> guests.remove(guest.id));
        gone.forEach(
                guest ->
                        guest.slot.ifPresent(slot -> placement.giveBack(partOf(guest.host), slot)));
        return Said.json(
                200,
                found.size() < MAX_SERVERS
                        ? Map.of("servers", found)
                        : Map.of(
                                "servers", found, "servers_links", List.of(Map.of("rel", "next"))));
    }

    private Map<String, Object> shown(FakeGuest guest, boolean withFlavors) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", guest.id);
        shown.put("name", guest.name);
        shown.put("tenant_id", guest.project);
        shown.put("status", guest.status);
        shown.put("OS-EXT-STS:task_state", moves.isMoving(guest) || guest.busy ? "busy" : null);
        shown.put(
                "OS-EXT-SRV-ATTR:hypervisor_hostname",
                guest.isPlaced ? nameOf.apply(guest.host) : "");
        shown.put(
                "flavor",
                withFlavors
                        ? Map.of("vcpus", guest.vcpus, "extra_specs", Map.copyOf(guest.extraSpecs))
                        : Map.of("id", guest.flavor));
        return shown;
    }

    private static boolean isOrNone(@Nullable String wanted, String found) {
        return wanted == null || wanted.equals(found);
    }

    Said act(String id, JsonNode body) {
        FakeGuest guest = guests.get(id);
        if (guest == null) {
            return FakeNova.refused(404, "Instance could not be found.");
        }
        if (body.has("forceDelete")) {
            if (guest.locked) {
                return FakeNova.refused(
                        409, "Cannot 'forceDelete' instance " + id + " while it is locked.");
            }
            guest.deleting = true;
            return Said.nothing(202);
        }
        if (FakeServerMoves.isMove(body)) {
            return moves.act(guest, body);
        }
        if (guest.busy) {
            return FakeNova.refused(
                    409, "Cannot 'createImage' instance while it is in task_state.");
        }
        JsonNode wish = body.path("createImage");
        Map<String, Object> image = new LinkedHashMap<>();
        image.put("name", wish.path("name").asString());
        image.put("status", guest.slow ? "queued" : "active");
        wish.path("metadata")
                .propertyStream()
                .forEach(each -> image.put(each.getKey(), each.getValue().asString()));
        images.add(image);
        return Said.nothing(202);
    }

    List<Map<String, Object>> images(Map<String, String> query) {
        return images.stream()
                .filter(
                        image ->
                                query.entrySet().stream()
                                        .filter(each -> !each.getKey().equals("limit"))
                                        .allMatch(
                                                each ->
                                                        each.getValue()
                                                                .equals(image.get(each.getKey()))))
                .toList();
    }
}
