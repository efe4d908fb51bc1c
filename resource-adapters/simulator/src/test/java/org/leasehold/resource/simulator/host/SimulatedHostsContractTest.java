package org.leasehold.resource.simulator.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.simulator.cloud.SimulatedCloudContract;

import java.util.List;
import java.util.Map;
import java.util.Optional;

class SimulatedHostsContractTest extends SimulatedCloudContract {

    static final Map<String, @Nullable Object> PARAMETERS =
            Map.of(
                    "min", 1,
                    "max", 2,
                    "hypervisor_properties", "[\">=\", \"$vcpus\", \"16\"]",
                    "resource_properties", "",
                    "before_end", "snapshot");

    SimulatedHostsContractTest() {
        super(new SimulatedHostsProvider());
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("compute-1", "compute-2", "compute-3");
    }

    @Override
    protected List<String> described() {
        return resourceNames();
    }

    @Override
    protected String unknownName() {
        return "compute-9";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return PARAMETERS;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("max", 3);
    }

    @Override
    protected Optional<ReservationServers> servers() {
        return Optional.of(
                new ReservationServers() {
                    @Override
                    public String start(Assignment assignment, String name) {
                        return cloud().boot(name, assignment.project(), assignment.reservation())
                                .orElseThrow()
                                .id()
                                .toString();
                    }

                    @Override
                    public List<String> on(String resource) {
                        return cloud().serversOn(resource).stream()
                                .map(server -> server.id().toString())
                                .toList();
                    }
                });
    }
}
