package org.leasehold.resource.openstack.instance;

import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.resource.openstack.PagedQuery;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

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
    private final FencedCloud fenced;
    private final ReservationId reservation;

    ReservedFlavor(Cloud cloud, Fence fence, ReservationId reservation) {
        this.cloud = cloud;
        this.fenced = new FencedCloud(cloud, fence);
        this.reservation = reservation;
    }

    /** Returns the reservations that have one. */
    static List<ReservationId> allReservations(Cloud cloud) {
        CloudRequest first = CloudRequest.get(COMPUTE, "/flavors?is_public=None");
        return new PagedQuery(cloud, first, "flavors", BAD_REQUEST)
                .readAll().stream()
                        .flatMap(
                                found ->
                                        ReservationName.parse(found.path("name").asString(""))
                                                .stream())
                        .toList();
    }

    boolean exists() {
        return cloud.rest().send(CloudRequest.get(COMPUTE, path("")).expecting(NOT_FOUND)).status()
                != NOT_FOUND;
    }

    /**
     * Creates the flavor; no project may use it yet.
     *
     * @param source its properties, besides the reservation's
     * @param more more extra specs, as in the aggregate
     */
    void create(Flavor source, Map<String, String> more) {
        if (!exists()) {
            fenced.send(CloudRequest.post(COMPUTE, "/flavors", Map.of("flavor", fields(source))));
        }
        Map<String, String> wanted = extraSpecs(source);
        wanted.putAll(more);
        JsonNode has = get(path("/os-extra_specs")).path("extra_specs");
        if (!wanted.entrySet().stream()
                .allMatch(each -> has.path(each.getKey()).asString("").equals(each.getValue()))) {
            fenced.send(
                    CloudRequest.post(
                            COMPUTE, path("/os-extra_specs"), Map.of("extra_specs", wanted)));
        }
    }

    void grantAccess(ProjectId project) {
        if (!projectsWithAccess().contains(project.value())) {
            fenced.send(accessRequest("addTenantAccess", project.value()));
        }
    }

    /** Revokes the access of all projects, also of those that an operator has added. */
    void revokeAccess() {
        for (String project : projectsWithAccess()) {
            fenced.send(accessRequest("removeTenantAccess", project).expecting(NOT_FOUND));
        }
    }

    void delete() {
        fenced.send(CloudRequest.delete(COMPUTE, path("")).expecting(NOT_FOUND));
    }

    /** Returns the projects that may use it. */
    List<String> projectsWithAccess() {
        return cloud.rest()
                .send(CloudRequest.get(COMPUTE, path("/os-flavor-access")).expecting(NOT_FOUND))
                .body()
                .path("flavor_access")
                .valueStream()
                .map(each -> each.path("tenant_id").asString(""))
                .toList();
    }

    private Map<String, ?> fields(Flavor source) {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("id", reservation.toString());
        fields.put("name", ReservationName.of(reservation));
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
        all.put(Guest.RESERVATION_SPEC, reservation.toString());
        all.put("resources:" + ReservedSlots.classOf(reservation), "1");
        all.put("trait:" + ResourceProvider.RESERVABLE, "required");
        return all;
    }

    private CloudRequest accessRequest(String action, String project) {
        return CloudRequest.post(
                COMPUTE, path("/action"), Map.of(action, Map.of("tenant", project)));
    }

    private JsonNode get(String path) {
        return cloud.rest().send(CloudRequest.get(COMPUTE, path)).body();
    }

    private String path(String below) {
        return "/flavors/" + reservation + below;
    }
}
