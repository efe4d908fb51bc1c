package org.leasehold.resource.openstack.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.network.FakeNeutronNetworks.Thing;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The routers of reserved networks. */
class NetworkRoutersTest extends OpenStackNetworksFixture {

    @Test
    void a_shared_router_loses_only_the_interface_and_routes_of_the_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        neutron.subnet(network, "10.1.0.0/24");
        Thing elsewhere = neutron.network("vlan", "physnet1", 100, "p1");
        Thing router = neutron.router("p1");
        neutron.connect(router, network);
        Thing stays = neutron.connect(router, elsewhere);
        Map<String, String> there = route("10.8.0.0/24", "192.0.2.7");
        router.put("routes", List.of(route("10.9.0.0/24", "10.1.0.7"), there));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).containsExactly(elsewhere);
        assertThat(neutron.ports()).containsExactly(stays);
        assertThat(neutron.routers()).containsExactly(router);
        assertThat(router.values()).containsEntry("routes", List.of(there));
        assertThat(router.tags()).isEmpty();
    }

    @Test
    void an_end_keeps_older_routers_and_routers_of_other_projects() {
        Thing old = neutron.router("p1");
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        Thing others = neutron.router("p2");
        neutron.connect(old, network);
        neutron.connect(others, network);

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
        assertThat(neutron.ports()).isEmpty();
        assertThat(neutron.routers()).containsExactly(old, others);
    }

    @Test
    void an_end_keeps_a_tagged_router_that_is_connected_to_another_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing router = neutron.router("p1");
        router.put("tags", List.of(MARK));
        neutron.connect(router, neutron.network("vlan", "physnet1", 100, "p1"));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).hasSize(1);
        assertThat(neutron.routers()).containsExactly(router);
    }

    @Test
    void an_end_deletes_a_tagged_router_without_a_network() {
        neutron.router("p1").put("tags", List.of(MARK));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.routers()).isEmpty();
    }

    @Test
    void a_router_of_two_networks_is_deleted_with_the_second_network() {
        assertDone(acting.onStart(assignment(VLAN, OTHER)));
        Thing router = neutron.router("p1");
        neutron.networks().forEach(network -> neutron.connect(router, network));

        assertDone(acting.onAdjust(assignment(VLAN), List.of(allocation(OTHER))));
        assertThat(neutron.routers()).containsExactly(router);
        assertThat(neutron.ports()).hasSize(1);
        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.routers()).isEmpty();
        assertThat(neutron.networks()).isEmpty();
    }

    /** Starts with an unfinished end whose network an operator has deleted. */
    @Test
    void a_survey_finds_a_tagged_router_without_a_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        neutron.network("vlan", "physnet1", 100, "p2");
        neutron.router("p2").put("tags", List.of("reservation:x"));
        ReservationId over = new ReservationId(UUID.randomUUID());
        Thing router = neutron.router("p1");
        router.put("tags", List.of("reservation:" + over));

        assertThat(acting.survey())
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        RESERVATION,
                                        acting.inspect(RESERVATION),
                                        over,
                                        List.of(
                                                "router/%s reservation:%s"
                                                        .formatted(router.id(), over)))));
    }
}
