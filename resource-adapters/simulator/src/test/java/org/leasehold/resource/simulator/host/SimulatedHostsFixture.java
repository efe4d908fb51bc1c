package org.leasehold.resource.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.resource.simulator.cloud.CloudDatabase;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** A simulated cloud whose hosts are enrolled, and the calls for reservations of them. */
abstract class SimulatedHostsFixture {

    static final ProjectId PROJECT = new ProjectId("project-1");
    static final ProjectId STRANGER = new ProjectId("project-2");

    final CloudDatabase database = new CloudDatabase();
    Map<String, String> settings;
    ResourcePlugin plugin;
    SimulatedCloud cloud;

    @BeforeEach
    void startCloud() {
        settings = database.newCloud();
        plugin = new SimulatedHostsProvider().create(settings);
        cloud = CloudDatabase.connect(settings);
        for (SimulatedHost host : cloud.hosts()) {
            acting().enrol(new ResourceId(host.id()), host.hypervisorHostname());
        }
    }

    @AfterEach
    void stopCloud() {
        cloud.close();
        plugin.close();
        database.close();
    }

    void boot(String name, Assignment assignment) {
        assertThat(cloud.boot(name, PROJECT, assignment.reservation())).isPresent();
    }

    void bootPreemptible(String name, String host) {
        assertThat(cloud.bootPreemptible(name, STRANGER, host)).isPresent();
    }

    /** Returns the result of a start, with the id of its aggregate. */
    static Result started(Assignment assignment) {
        return new Result.Done(
                Map.of(
                        "aggregate_id",
                        assignment.reservation().value().hashCode() & Integer.MAX_VALUE));
    }

    static Assignment assignment(String... hosts) {
        return assignment(Map.of(), hosts);
    }

    static Assignment assignment(Map<String, @Nullable Object> parameters, String... hosts) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                new ReservationId(UUID.randomUUID()),
                PROJECT,
                new UserId("user-1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                parameters,
                allocations(hosts));
    }

    static List<Allocation> allocations(String... hosts) {
        return Stream.of(hosts)
                .map(
                        name ->
                                new Allocation(
                                        new ResourceId(
                                                Long.parseLong(
                                                        name.substring("compute-".length()))),
                                        name,
                                        Map.of()))
                .toList();
    }

    Acting acting() {
        return plugin.acting();
    }
}
