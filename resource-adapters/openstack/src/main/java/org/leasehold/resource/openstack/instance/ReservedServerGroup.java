package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;

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
final class ReservedServerGroup {

    private static final String COMPUTE = "compute";
    private static final String GROUPS = "/os-server-groups";
    private static final String ALL_PROJECTS = "&all_projects=True";

    /** The first microversion with a single policy; an earlier one added the project. */
    static final String POLICY_MICROVERSION = "2.64";

    /** The page size; Nova may return fewer. */
    private static final int PAGE_SIZE = 1_000;

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;
    private final Fence fence;
    private final ReservationId reservation;

    ReservedServerGroup(Cloud cloud, Fence fence, ReservationId reservation) {
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
    String findOrCreate(TrustId trust, ProjectId project, boolean together) {
        Cloud theirs = cloud.as(trust);
        try {
            // An interrupted call may have created it.
            return groupsByName(theirs, "")
                    .map(ReservedServerGroup::id)
                    .findFirst()
                    .orElseGet(() -> id(create(theirs, together ? "affinity" : "anti-affinity")));
        } catch (CloudFailure failure) {
            boolean forGood =
                    failure.fault().kind() == Fault.Kind.DENIED || failure.status() == NOT_FOUND;
            if (!forGood) {
                throw failure;
            }
            // A running reservation has one, also if its user's trust is gone.
            return find(project).orElseThrow(() -> creationFailure(failure));
        }
    }

    private static CloudFailure creationFailure(CloudFailure why) {
        return why.withExplanation(
                Fault.Kind.DENIED, "The server group that the affinity asks for cannot be made");
    }

    /** Returns the id of the project's group, which any user may have created. */
    Optional<String> find(ProjectId project) {
        return groupIds(project).stream().findFirst();
    }

    void delete(ProjectId project) {
        groupIds(project)
                .forEach(
                        id ->
                                new FencedCloud(cloud, fence)
                                        .send(
                                                CloudRequest.delete(COMPUTE, GROUPS + "/" + id)
                                                        .expecting(NOT_FOUND)));
    }

    /** Returns the groups of its project alone: other users may use the same name. */
    private List<String> groupIds(ProjectId project) {
        return groupsInAllProjects()
                .filter(group -> project.value().equals(group.path("project_id").asString("")))
                .map(ReservedServerGroup::id)
                .toList();
    }

    boolean exists() {
        return groupsInAllProjects().findAny().isPresent();
    }

    /** Returns the reservations that have one. */
    static List<ReservationId> allReservations(Cloud cloud) {
        return fetchGroups(cloud, ALL_PROJECTS)
                .flatMap(group -> ReservationName.parse(name(group)).stream())
                .distinct()
                .toList();
    }

    private Stream<JsonNode> groupsInAllProjects() {
        return groupsByName(cloud, ALL_PROJECTS);
    }

    private Stream<JsonNode> groupsByName(Cloud as, String which) {
        return fetchGroups(as, which).filter(group -> name().equals(name(group)));
    }

    private static Stream<JsonNode> fetchGroups(Cloud as, String which) {
        List<JsonNode> found = new ArrayList<>();
        JsonNode page;
        do {
            page = fetchPage(as, found.size(), which);
            page.valueStream().forEach(found::add);
        } while (!page.isEmpty());
        return found.stream();
    }

    private static JsonNode fetchPage(Cloud as, int offset, String which) {
        String path = "%s?limit=%s&offset=%s%s".formatted(GROUPS, PAGE_SIZE, offset, which);
        return as.rest()
                .send(CloudRequest.get(COMPUTE, path).microversion(POLICY_MICROVERSION))
                .body()
                .path("server_groups");
    }

    private JsonNode create(Cloud as, String policy) {
        Map<String, ?> group = Map.of("name", name(), "policy", policy);
        return new FencedCloud(as, fence)
                .send(
                        CloudRequest.post(COMPUTE, GROUPS, Map.of("server_group", group))
                                .microversion(POLICY_MICROVERSION))
                .body()
                .path("server_group");
    }

    private String name() {
        return ReservationName.of(reservation);
    }

    private static String name(JsonNode group) {
        return group.path("name").asString("");
    }

    private static String id(JsonNode group) {
        return group.path("id").asString("");
    }
}
