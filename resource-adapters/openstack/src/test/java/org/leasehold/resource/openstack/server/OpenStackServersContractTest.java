package org.leasehold.resource.openstack.server;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;

/** The contract on a fake cloud. */
class OpenStackServersContractTest extends OpenStackServersContract {

    private final FakeNovaServers nova = new FakeNovaServers();

    @Override
    protected Map<String, String> cloud() {
        return nova.settings();
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackServersProvider.create(
                CloudSettings.of(settings), FakePollingTime.looks(5_000));
    }

    @Override
    String server() {
        return nova.server("p1", "SHELVED_OFFLOADED").id;
    }

    /** Adds the server, which all tests share on a real cloud. */
    @Override
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        SortedMap<String, Consumer<Assignment>> pieces = super.pieces();
        pieces.put("server", assignment -> byHand(cloud -> delete(new Nova(cloud), assignment)));
        return pieces;
    }

    private static void delete(Nova nova, Assignment assignment) {
        nova.fencedBy(() -> true).deleteServer(serverId(assignment));
        untilGone().await(() -> nova.server(serverId(assignment)).map(Object::toString));
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("nova", "east", "west");
    }

    @Override
    protected ProjectId project() {
        return new ProjectId("p1");
    }

    @Override
    protected TrustId trust() {
        return new TrustId(FakeNovaServers.TRUST);
    }

    @AfterEach
    void closeCloud() {
        nova.close();
    }
}
