package org.leasehold.resource.openstack.server;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;
import static org.leasehold.resource.openstack.RealCloudFixture.realCloud;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.RealCloudFixture;
import org.leasehold.resource.openstack.compute.ExistingServer;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. Its name is no test's, so that a build without a cloud does not run
 * it. It fails without its variables in the environment.
 */
class RealCloudContract extends OpenStackServersContract implements RealCloudFixture {

    private static final PollingWait PATIENCE =
            new PollingWait(Duration.ofMinutes(1), Duration.ofMillis(200));

    /** The servers of all tests, used in turn: booting takes longer than a test. */
    private static final List<String> SERVERS = Arrays.asList(environment("SERVERS").split(","));

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackServersProvider.create(CloudSettings.of(settings), PATIENCE);
    }

    @Override
    protected List<String> resourceNames() {
        return Arrays.asList(environment("ZONES").split(","));
    }

    @Override
    protected ProjectId project() {
        return new ProjectId(environment("TRUSTING_PROJECT"));
    }

    @Override
    protected TrustId trust() {
        return new TrustId(environment("TRUST"));
    }

    @Override
    String server() {
        String next = SERVERS.getFirst();
        Collections.rotate(SERVERS, -1);
        byHand(cloud -> shelve(new Nova(cloud), next));
        return next;
    }

    /** Removes all reservations, for the next test. */
    @AfterEach
    void tidy() {
        byHand(this::tidy);
    }

    private void tidy(Cloud cloud) {
        Nova nova = new Nova(cloud);
        NovaChanges changes = nova.fencedBy(() -> true);
        SERVERS.stream()
                .flatMap(id -> nova.server(id).stream())
                .filter(server -> !server.mark().isEmpty() && !server.isShelved())
                .forEach(changes::release);
    }

    private static void shelve(Nova nova, String id) {
        NovaChanges changes = nova.fencedBy(() -> true);
        nova.server(id)
                .filter(server -> !server.isShelved() && !server.isBusy())
                .ifPresent(server -> changes.requestAction(server, "shelve"));
        PATIENCE.await(
                () ->
                        nova.server(id)
                                .filter(server -> !isAway(server))
                                .map(ExistingServer::toString));
    }

    /** Returns whether it has no zone: Nova shows the state a moment before it clears the zone. */
    private static boolean isAway(ExistingServer server) {
        return server.isShelved() && !server.isBusy() && server.room().zone().isEmpty();
    }
}
