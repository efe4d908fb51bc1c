package org.leasehold.resource.openstack.instance;

import static org.leasehold.resource.openstack.OnRealCloud.environment;
import static org.leasehold.resource.openstack.OnRealCloud.realCloud;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.OnRealCloud;
import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.PlacementChanges;
import org.leasehold.resource.openstack.placement.Provider;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The contract on a real cloud. Its name is no test's, so that a build without a cloud does not run
 * it. It fails without its variables in the environment.
 */
@ResourceLock("the hosts of the real cloud")
class RealCloudContract extends OpenStackInstancesContract implements OnRealCloud {

    private static final List<String> HOSTS = Arrays.asList(environment("HOSTS").split(","));

    private @Nullable ProjectId project;

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    protected List<String> resourceNames() {
        return HOSTS;
    }

    /** Returns a project of Keystone: Nova accepts no other. */
    @Override
    protected ProjectId project() {
        if (project == null) {
            byHand(cloud -> project = project(cloud));
        }
        return Objects.requireNonNull(project);
    }

    private static ProjectId project(Cloud cloud) {
        Request request = Request.get("identity", "/projects?name=" + environment("PROJECT"));
        JsonNode projects = cloud.rest().send(request).body().path("projects");
        return new ProjectId(projects.path(0).path("id").asString());
    }

    /** Removes all enrolments and reservations, for the next test. */
    @AfterEach
    void tidy() {
        byHand(this::tidy);
    }

    private void tidy(Cloud cloud) {
        PlacementChanges placement = new Placement(cloud).fencedBy(() -> true);
        List<Provider> parts =
                HOSTS.stream()
                        .map(Provider::reservablePartOf)
                        .flatMap(name -> new Placement(cloud).provider(name).stream())
                        .toList();
        Nova nova = new Nova(cloud);
        NovaChanges changes = nova.fencedBy(() -> true);
        for (Aggregate aggregate : nova.aggregates().aggregates()) {
            List<String> ours = aggregate.hosts().stream().filter(HOSTS::contains).toList();
            ours.forEach(host -> changes.remove(aggregate, host));
            boolean all = ours.size() == aggregate.hosts().size();
            if (all && aggregate.metadata().containsKey("reservation")) {
                ReservationId reservation = new ReservationId(UUID.fromString(aggregate.name()));
                new ReservedFlavor(cloud, () -> true, reservation).delete();
                String slots = ReservedSlots.classOf(reservation);
                parts.forEach(part -> placement.withdraw(part, slots));
                placement.deleteClass(slots);
                changes.delete(aggregate);
            }
            if (all && aggregate.name().equals(Aggregate.FREEPOOL)) {
                changes.delete(aggregate);
            }
        }
    }
}
