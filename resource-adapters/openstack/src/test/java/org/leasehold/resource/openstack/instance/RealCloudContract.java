package org.leasehold.resource.openstack.instance;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.PlacementChanges;
import org.leasehold.resource.openstack.placement.Provider;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The contract on a real cloud. It is no test by its name, so that a build without a cloud does not
 * run it; without what it needs from the environment it fails.
 */
@ResourceLock("the hosts of the real cloud")
class RealCloudContract extends OpenStackInstancesContract {

    private static final List<String> HOSTS = Arrays.asList(environment("HOSTS").split(","));

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    protected List<String> resourceNames() {
        return HOSTS;
    }

    /** Nova lets none in that Keystone does not know. */
    @Override
    protected ProjectId project() {
        try (Cloud cloud = new Cloud(CloudSettings.of(cloud()), Clock.systemUTC())) {
            Request request = Request.get("identity", "/projects?name=" + environment("PROJECT"));
            return new ProjectId(
                    cloud.rest()
                            .send(request)
                            .body()
                            .path("projects")
                            .path(0)
                            .path("id")
                            .asString());
        }
    }

    /** Each test finds a cloud in which nothing is enrolled or reserved. */
    @AfterEach
    void tidy() {
        try (Cloud cloud = new Cloud(CloudSettings.of(cloud()), Clock.systemUTC())) {
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
                    ReservationId reservation =
                            new ReservationId(UUID.fromString(aggregate.name()));
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
}
