package org.leasehold.resource.openstack.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.network.FakeNeutronNetworks.Thing;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A cloud with network segments, and the calls for one reservation. */
abstract class OpenStackNetworksFixture {

    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    static final ReservationId RESERVATION =
            new ReservationId(UUID.fromString("0cd4d562-a4bf-409f-934f-82ec33c76bd7"));
    static final String MARK = "reservation:" + RESERVATION;
    static final String VLAN = "vlan/physnet1/1200";
    static final String OTHER = "vlan/physnet1/1201";

    final FakeNeutronNetworks neutron = new FakeNeutronNetworks();
    private final ResourcePlugin plugin =
            new OpenStackNetworksProvider().create(neutron.settings());
    final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        neutron.close();
    }

    Thing createdNetwork() {
        assertThat(neutron.networks()).hasSize(1);
        return neutron.networks().getFirst();
    }

    static Map<String, String> route(String destination, String nexthop) {
        return Map.of("destination", destination, "nexthop", nexthop);
    }

    static Assignment assignment(String... segments) {
        return assignment("of the lab", segments);
    }

    static Assignment assignment(String description, String[] segments) {
        List<Allocation> resources = new ArrayList<>();
        for (String segment : segments) {
            resources.add(allocation(segment));
        }
        Map<String, @Nullable Object> parameters =
                Map.of("network_name", "lab", "network_description", description);
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                RESERVATION,
                new ProjectId("p1"),
                new UserId("u1"),
                new LeasePeriod(START, START.plusSeconds(3_600)),
                parameters,
                resources);
    }

    static Allocation allocation(String segment) {
        int id = Integer.parseInt(segment.substring(segment.lastIndexOf('/') + 1));
        return new Allocation(new ResourceId(id), segment, Map.of());
    }

    static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }
}
