package org.leasehold.resource.openstack.host;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;
import static org.leasehold.resource.openstack.RealCloudFixture.realCloud;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.RealCloudFixture;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.RealServers;
import org.leasehold.vocabulary.ProjectId;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The contract on a real cloud. Its name is no test's, so that a build without a cloud does not run
 * it. It fails without its variables in the environment.
 */
@ResourceLock("the hosts of the real cloud")
class RealCloudContract extends OpenStackHostsContract implements RealCloudFixture {

    private static final List<String> HOSTS = Arrays.asList(environment("HOSTS").split(","));

    private @Nullable ProjectId project;
    private @Nullable RealServers servers;

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    HostIsolation isolation() {
        return HostIsolation.of(environment("ISOLATION"));
    }

    @Override
    protected List<String> resourceNames() {
        return HOSTS;
    }

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
            // One of them opens the host, whichever way Nova isolates hosts.
            servers =
                    new RealServers(
                            hand(),
                            assignment ->
                                    Map.of(
                                            "availability_zone",
                                            NovaAggregate.zoneOf(assignment.reservation())),
                            assignment ->
                                    Map.of("reservation", assignment.reservation().toString()));
        }
        return Optional.of(servers);
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
        Nova nova = new Nova(cloud);
        NovaChanges changes = nova.fencedBy(() -> true);
        for (NovaAggregate aggregate : nova.aggregates().aggregates()) {
            List<String> ours = aggregate.hosts().stream().filter(HOSTS::contains).toList();
            ours.forEach(host -> changes.remove(aggregate, host));
            boolean made =
                    aggregate.isOfReservation() || aggregate.name().equals(NovaAggregate.FREEPOOL);
            if (made && ours.size() == aggregate.hosts().size()) {
                changes.delete(aggregate);
            }
        }
    }
}
