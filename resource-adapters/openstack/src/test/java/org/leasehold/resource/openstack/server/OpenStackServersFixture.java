package org.leasehold.resource.openstack.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A cloud with a server of the project, and the calls for one reservation. */
abstract class OpenStackServersFixture {

    static final ReservationId RESERVATION =
            new ReservationId(UUID.fromString("0cd4d562-a4bf-409f-934f-82ec33c76bd7"));
    static final ReservationId OTHER =
            new ReservationId(UUID.fromString("b0b0d562-a4bf-409f-934f-82ec33c76bd7"));
    static final String MARK = "leasehold:reservation";
    static final TrustId TRUST = new TrustId(FakeNovaServers.TRUST);
    static final String SHELVED = "SHELVED_OFFLOADED";

    final FakeNovaServers nova = new FakeNovaServers();
    final ResourcePlugin plugin =
            OpenStackServersProvider.create(
                    CloudSettings.of(nova.settings()), FakePollingTime.looks(20));
    final Acting acting = plugin.acting();
    final FakeServer server = nova.server("p1", "ACTIVE");
    final Map<ReservationId, Map<String, @Nullable Object>> others = new HashMap<>();

    @AfterEach
    void close() {
        plugin.close();
        nova.close();
    }

    /** Marks the server for another reservation, whose request names the server of this id. */
    void hasAnother(String id) {
        server.metadata.put(MARK, OTHER.toString());
        others.put(OTHER, Map.of("server_id", id));
    }

    Assignment assignment() {
        return assignment(RESERVATION, Map.of(), TRUST);
    }

    Assignment assignment(
            ReservationId reservation, Map<String, Object> more, @Nullable TrustId trust) {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("server_id", server.id);
        wish.put("server", new ComputeCapacity("nova", 2, 4096, 20).attributes());
        wish.putAll(more);
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                new ProjectId("p1"),
                new UserId("u1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) plugin.planning().plan(wish)).parameters(),
                List.of(new Allocation(new ResourceId(1), "nova", Map.of())),
                () -> true,
                other -> Optional.ofNullable(others.get(other)),
                trust);
    }

    static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    static Fault assertFailed(Result result, Fault.Kind kind) {
        Fault fault = ((Result.Failed) result).fault();
        assertThat(fault.kind()).isEqualTo(kind);
        return fault;
    }
}
