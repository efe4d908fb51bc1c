package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.UUID;
import java.util.stream.IntStream;

/** A cloud whose aggregate of a running reservation is deleted, or loses a host, by hand. */
abstract class LostHostsFixture {

    static final String HOLDER = "project-1";
    static final String STRANGER = "project-2";
    static final Result DONE = new Result.Done();

    FakeNova nova;
    ResourcePlugin plugin;

    @BeforeEach
    void startCloud() {
        nova = new FakeNova(IntStream.rangeClosed(1, 4).mapToObj(LostHostsFixture::name).toList());
        plugin =
                OpenStackHostsProvider.create(
                        HostIsolation.FILTER,
                        CloudSettings.of(nova.settings()),
                        new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(5)));
        IntStream.rangeClosed(1, 4)
                .forEach(number -> plugin.acting().enrol(new ResourceId(number), name(number)));
    }

    @AfterEach
    void stopCloud() {
        plugin.close();
        nova.close();
    }

    SortedSet<String> strays() {
        return look().strays();
    }

    InventoryResult.Known look() {
        InventoryResult look =
                plugin.acting()
                        .inventory(
                                IntStream.rangeClosed(1, 4)
                                        .mapToObj(LostHostsFixture::name)
                                        .toList());
        assertThat(look).isInstanceOf(InventoryResult.Known.class);
        return (InventoryResult.Known) look;
    }

    Assignment started(int... hosts) {
        Assignment assignment = of(new ReservationId(UUID.randomUUID()), hosts);
        assertThat(plugin.acting().onStart(assignment)).isInstanceOf(Result.Done.class);
        return assignment;
    }

    static Assignment of(ReservationId reservation, int... hosts) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                new ProjectId(HOLDER),
                new UserId("user-1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                Map.of("before_end", "default"),
                allocations(hosts));
    }

    static List<Allocation> allocations(int... hosts) {
        return IntStream.of(hosts)
                .mapToObj(host -> new Allocation(new ResourceId(host), name(host), Map.of()))
                .toList();
    }

    static List<String> services(int... hosts) {
        return IntStream.of(hosts).mapToObj(host -> FakeNova.serviceOf(name(host))).toList();
    }

    static String name(int host) {
        return "compute-" + host;
    }
}
