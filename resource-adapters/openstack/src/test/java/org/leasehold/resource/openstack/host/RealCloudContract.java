package org.leasehold.resource.openstack.host;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. It is no test by its name, so that a build without a cloud does not
 * run it; without what it needs from the environment it fails.
 */
@ResourceLock("the hosts of the real cloud")
class RealCloudContract extends OpenStackHostsContract {

    private static final List<String> HOSTS = Arrays.asList(environment("HOSTS").split(","));

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    Isolation isolation() {
        return Isolation.of(environment("ISOLATION"));
    }

    @Override
    protected List<String> resourceNames() {
        return HOSTS;
    }

    /** Each test finds a cloud in which nothing is enrolled or reserved. */
    @AfterEach
    void tidy() {
        try (Cloud cloud = new Cloud(CloudSettings.of(cloud()), Clock.systemUTC())) {
            Nova nova = new Nova(cloud);
            NovaChanges changes = nova.fencedBy(() -> true);
            for (Aggregate aggregate : nova.aggregates().aggregates()) {
                List<String> ours = aggregate.hosts().stream().filter(HOSTS::contains).toList();
                ours.forEach(host -> changes.remove(aggregate, host));
                boolean made =
                        aggregate.isOfReservation() || aggregate.name().equals(Aggregate.FREEPOOL);
                if (made && ours.size() == aggregate.hosts().size()) {
                    changes.delete(aggregate);
                }
            }
        }
    }
}
