package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The server group of a reservation, which clients name in a scheduler hint. Slots do not depend on
 * it, but a request with an affinity gets the group, too.
 *
 * <p>Nova shows a group to its project only, and creates it for the caller. So the engine creates
 * it as the user, with the user's trust. It deletes the group as itself.
 */
final class ReservedGroup {

    private static final String COMPUTE = "compute";
    private static final String GROUPS = "/os-server-groups";
    private static final String ALL_PROJECTS = "&all_projects=True";

    /** The first microversion with a single policy; an earlier one added the project. */
    private static final String VERSION = "2.64";

    /** The page size; Nova may return fewer. */
    private static final int AT_ONCE = 1_000;

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;
    private final Fence fence;
    private final ReservationId reservation;

    ReservedGroup(Cloud cloud, Fence fence, ReservationId reservation) {
        this.cloud = cloud;
        this.fence = fence;
        this.reservation = reservation;
    }

    /**
     * Creates the group as the user, unless it exists.
     *
     * @return its id
     * @throws CloudFailure if the user cannot have it, or the trust is gone
     */
    String make(TrustId trust, ProjectId project, boolean together) {
        Cloud theirs = cloud.as(trust);
        try {
            // An interrupted call may have created it.
            return named(theirs, "")
                    .map(ReservedGroup::id)
                    .findFirst()
                    .orElseGet(() -> id(create(theirs, together ? "affinity" : "anti-affinity")));
        } catch (CloudFailure failure) {
            boolean forGood =
                    failure.fault().kind() == Fault.Kind.DENIED || failure.status() == NOT_FOUND;
            if (!forGood) {
                throw failure;
            }
            // A running reservation has one, also if its user's trust is gone.
            return find(project).orElseThrow(() -> impossible(failure));
        }
    }

    private static CloudFailure impossible(CloudFailure why) {
        return why.explained(
                Fault.Kind.DENIED, "The server group that the affinity asks for cannot be made");
    }

    /** Returns the id of the project's group, which any user may have created. */
    Optional<String> find(ProjectId project) {
        return of(project).stream().findFirst();
    }

    void delete(ProjectId project) {
        of(project)
                .forEach(
                        id ->
                                new Fenced(cloud, fence)
                                        .send(
                                                Request.delete(COMPUTE, GROUPS + "/" + id)
                                                        .expecting(NOT_FOUND)));
    }

    /** Returns the groups of its project alone: other users may use the same name. */
    private List<String> of(ProjectId project) {
        return everywhere()
                .filter(group -> project.value().equals(group.path("project_id").asString("")))
                .map(ReservedGroup::id)
                .toList();
    }

    boolean exists() {
        return everywhere().findAny().isPresent();
    }

    /** Returns the reservations that have one. */
    static List<ReservationId> all(Cloud cloud) {
        return groups(cloud, ALL_PROJECTS)
                .flatMap(group -> ReservedName.in(name(group)).stream())
                .distinct()
                .toList();
    }

    private Stream<JsonNode> everywhere() {
        return named(cloud, ALL_PROJECTS);
    }

    private Stream<JsonNode> named(Cloud as, String which) {
        return groups(as, which).filter(group -> name().equals(name(group)));
    }

    private static Stream<JsonNode> groups(Cloud as, String which) {
        List<JsonNode> found = new ArrayList<>();
        JsonNode page;
        do {
            page = page(as, found.size(), which);
            page.valueStream().forEach(found::add);
        } while (!page.isEmpty());
        return found.stream();
    }

    private static JsonNode page(Cloud as, int offset, String which) {
        String path = "%s?limit=%s&offset=%s%s".formatted(GROUPS, AT_ONCE, offset, which);
        return as.rest()
                .send(Request.get(COMPUTE, path).microversion(VERSION))
                .body()
                .path("server_groups");
    }

    private JsonNode create(Cloud as, String policy) {
        Map<String, ?> group = Map.of("name", name(), "policy", policy);
        return new Fenced(as, fence)
                .send(
                        Request.post(COMPUTE, GROUPS, Map.of("server_group", group))
                                .microversion(VERSION))
                .body()
                .path("server_group");
    }

    private String name() {
        return ReservedName.of(reservation);
    }

    private static String name(JsonNode group) {
        return group.path("name").asString("");
    }

    private static String id(JsonNode group) {
        return group.path("id").asString("");
    }
}
