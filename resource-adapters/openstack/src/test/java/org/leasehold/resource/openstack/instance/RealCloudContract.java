package org.leasehold.resource.openstack.instance;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;
import static org.leasehold.resource.openstack.RealCloudFixture.realCloud;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.RealCloudFixture;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.RealServers;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.PlacementChanges;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The contract on a real cloud. Its name is no test's, so that a build without a cloud does not run
 * it. It fails without its variables in the environment.
 */
@ResourceLock("the hosts of the real cloud")
class RealCloudContract extends OpenStackInstancesContract implements RealCloudFixture {

    private static final List<String> HOSTS = Arrays.asList(environment("HOSTS").split(","));

    private @Nullable ProjectId project;
    private @Nullable RealServers servers;

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
            project = RealCloudFixture.projectOf(hand());
        }
        return Objects.requireNonNull(project);
    }

    @Override
    protected Optional<ReservationServers> servers() {
        if (servers == null) {
            servers = new RealServers(hand(), RealCloudContract::flavor, _ -> Map.of());
        }
        return Optional.of(servers);
    }

    /** Returns the flavor of the slots, and the zone of all hosts: the default one has others. */
    private static Map<String, String> flavor(Assignment assignment) {
        return Map.of(
                "flavorRef", assignment.reservation().toString(), "availability_zone", "nova");
    }

    /** Removes all enrolments and reservations, for the next test. */
    @AfterEach
    void tidy() {
        if (servers != null) {
            servers.deleteAll();
        }
        byHand(this::tidy);
    }

    private void tidy(Cloud cloud) {
        PlacementChanges placement = new Placement(cloud).fencedBy(() -> true);
        List<ResourceProvider> parts =
                HOSTS.stream()
                        .map(ResourceProvider::reservablePartOf)
                        .flatMap(name -> new Placement(cloud).provider(name).stream())
                        .toList();
        Nova nova = new Nova(cloud);
        NovaChanges changes = nova.fencedBy(() -> true);
        for (NovaAggregate aggregate : nova.aggregates().aggregates()) {
            List<String> ours = aggregate.hosts().stream().filter(HOSTS::contains).toList();
            ours.forEach(host -> changes.remove(aggregate, host));
            boolean all = ours.size() == aggregate.hosts().size();
            if (all && aggregate.metadata().containsKey("reservation")) {
                ReservationId reservation = new ReservationId(UUID.fromString(aggregate.name()));
                new ReservedFlavor(cloud, () -> true, reservation).delete();
                String slots = ReservedSlots.classOf(reservation);
                parts.forEach(part -> placement.removeInventory(part, slots));
                placement.deleteClass(slots);
                changes.delete(aggregate);
            }
            if (all && aggregate.name().equals(NovaAggregate.FREEPOOL)) {
                changes.delete(aggregate);
            }
        }
    }
}
