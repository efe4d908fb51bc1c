package org.leasehold.resource.openstack.host;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contract on a fake cloud. */
abstract class FakeNovaHostsContract extends OpenStackHostsContract {

    private FakeNova nova;

    @Override
    protected Map<String, String> cloud() {
        nova = new FakeNova(List.of("compute-1", "compute-2", "compute-3", "compute-11"));
        return nova.settings();
    }

    @AfterEach
    void closeCloud() {
        nova.close();
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("compute-1", "compute-2", "compute-3");
    }

    @Override
    protected Optional<ReservationServers> servers() {
        return Optional.of(
                new ReservationServers() {
                    @Override
                    public String start(Assignment assignment, String name) {
                        return nova.boot(
                                        name,
                                        assignment.project().value(),
                                        assignment.resources().getFirst().name())
                                .id;
                    }

                    @Override
                    public List<String> on(String resource) {
                        return nova.serversOn(resource).stream().map(guest -> guest.id).toList();
                    }
                });
    }
}
