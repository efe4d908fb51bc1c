package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Pages;
import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.placement.Provider;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The flavor of a reservation, which only its project may use and only its slots satisfy. It does
 * not use openstack4j, which cannot distinguish a missing flavor from one without access.
 */
final class ReservedFlavor {

    private static final String COMPUTE = "compute";
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private final Cloud cloud;
    private final Fenced fenced;
    private final ReservationId reservation;

    ReservedFlavor(Cloud cloud, Fence fence, ReservationId reservation) {
        this.cloud = cloud;
        this.fenced = new Fenced(cloud, fence);
        this.reservation = reservation;
    }

    /** Returns the reservations that have one. */
    static List<ReservationId> all(Cloud cloud) {
        Request first = Request.get(COMPUTE, "/flavors?is_public=None");
        return new Pages(cloud, first, "flavors", BAD_REQUEST)
                .all().stream()
                        .flatMap(found -> ReservedName.in(found.path("name").asString("")).stream())
                        .toList();
    }

    boolean exists() {
        return cloud.rest().send(Request.get(COMPUTE, path("")).expecting(NOT_FOUND)).status()
                != NOT_FOUND;
    }

    /**
     * Creates the flavor; no project may use it yet.
     *
     * @param source its properties, besides the reservation's
     * @param more more extra specs, as in the aggregate
     */
    void make(Flavor source, Map<String, String> more) {
        if (!exists()) {
            fenced.send(Request.post(COMPUTE, "/flavors", Map.of("flavor", fields(source))));
        }
        Map<String, String> wanted = extraSpecs(source);
        wanted.putAll(more);
        JsonNode has = ask(path("/os-extra_specs")).path("extra_specs");
        if (!wanted.entrySet().stream()
                .allMatch(each -> has.path(each.getKey()).asString("").equals(each.getValue()))) {
            fenced.send(
                    Request.post(COMPUTE, path("/os-extra_specs"), Map.of("extra_specs", wanted)));
        }
    }

    void openTo(ProjectId project) {
        if (!users().contains(project.value())) {
            fenced.send(access("addTenantAccess", project.value()));
        }
    }

    /** Revokes the access of all projects, also of those that an operator has added. */
    void close() {
        for (String project : users()) {
            fenced.send(access("removeTenantAccess", project).expecting(NOT_FOUND));
        }
    }

    void delete() {
        fenced.send(Request.delete(COMPUTE, path("")).expecting(NOT_FOUND));
    }

    /** Returns the projects that may use it. */
    List<String> users() {
        return cloud.rest()
                .send(Request.get(COMPUTE, path("/os-flavor-access")).expecting(NOT_FOUND))
                .body()
                .path("flavor_access")
                .valueStream()
                .map(each -> each.path("tenant_id").asString(""))
                .toList();
    }

    private Map<String, ?> fields(Flavor source) {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("id", reservation.toString());
        fields.put("name", ReservedName.of(reservation));
        fields.put("vcpus", source.vcpus());
        fields.put("ram", source.memoryMb());
        fields.put("disk", source.diskGb());
        fields.put("OS-FLV-EXT-DATA:ephemeral", source.ephemeralGb());
        fields.put("swap", source.swapMb());
        fields.put("os-flavor-access:is_public", false);
        return fields;
    }

    private Map<String, String> extraSpecs(Flavor source) {
        Map<String, String> all = new TreeMap<>(source.extraSpecs());
        all.put(Guest.RESERVATION, reservation.toString());
        all.put("resources:" + ReservedSlots.classOf(reservation), "1");
        all.put("trait:" + Provider.RESERVABLE, "required");
        return all;
    }

    private Request access(String action, String project) {
        return Request.post(COMPUTE, path("/action"), Map.of(action, Map.of("tenant", project)));
    }

    private JsonNode ask(String path) {
        return cloud.rest().send(Request.get(COMPUTE, path)).body();
    }

    private String path(String below) {
        return "/flavors/" + reservation + below;
    }
}
