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
 * The server group of a reservation, which clients give as a hint. Slots are where they are without
 * it, but who asked for an affinity was promised the group, too.
 *
 * <p>Nova shows a group to its project only, and makes it for whoever asks: it is made as the user,
 * by their trust. It is taken away in the engine's own name.
 */
final class ReservedGroup {

    private static final String COMPUTE = "compute";
    private static final String GROUPS = "/os-server-groups";
    private static final String ALL_PROJECTS = "&all_projects=True";

    /** The first with a single policy; projects are told since an earlier one. */
    private static final String VERSION = "2.64";

    /** Nova may give fewer. */
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
     * Makes it as the user, unless it is there.
     *
     * @return its id
     * @throws CloudFailure if the user cannot have it, or does not trust the engine any more
     */
    String make(TrustId trust, ProjectId project, boolean together) {
        Cloud theirs = cloud.as(trust);
        try {
            // A call that was cut off may have made it.
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
            // A reservation that runs has one, also when its user's trust is gone.
            return find(project).orElseThrow(() -> impossible(failure));
        }
    }

    private static CloudFailure impossible(CloudFailure why) {
        return new CloudFailure(
                Fault.Kind.DENIED,
                why.status(),
                "The server group that the affinity asks for cannot be made: " + why.getMessage());
    }

    /** The id of the one that the project has, whoever made it. */
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

    /** Of its project alone: anybody may call theirs as they like. */
    private List<String> of(ProjectId project) {
        return everywhere()
                .filter(group -> project.value().equals(group.path("project_id").asString("")))
                .map(ReservedGroup::id)
                .toList();
    }

    boolean exists() {
        return everywhere().findAny().isPresent();
    }

    /** The reservations that have one. */
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
