package org.leasehold.resource.openstack.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.network.FakeNeutronNetworks.Thing;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The deletion of networks at the end of reservations. */
class NetworkEndsTest extends OpenStackNetworksFixture {

    private static final int MORE_REQUESTS_THAN_AN_END_HAS = 60;

    @Test
    void an_end_deletes_the_network_with_everything_attached() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        neutron.subnet(network, "10.1.0.0/24");
        neutron.port(network, "network:dhcp", "an-agent");
        Thing nic = neutron.port(network, "compute:nova", "a-server");
        neutron.port(network, "", "");
        Thing ip = neutron.floatingIp(nic);
        Thing router = neutron.router("p1");
        neutron.connect(router, network);
        router.put("routes", List.of(route("10.9.0.0/24", "10.1.0.7")));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
        assertThat(neutron.subnets()).isEmpty();
        assertThat(neutron.ports()).isEmpty();
        assertThat(neutron.routers()).isEmpty();
        assertThat(ip.values()).containsEntry("port_id", null);
        assertThat(neutron.changes().stream().skip(3))
                .startsWith("PUT networks/" + network.id())
                .endsWith("DELETE networks/" + network.id());
    }

    @Test
    void a_repeated_end_leaves_nothing_after_a_failure_at_any_request() throws IOException {
        try (CloudFaultProxy proxy = new CloudFaultProxy();
                ResourcePlugin behind = new OpenStackNetworksProvider().create(through(proxy))) {
            for (boolean effect : new boolean[] {false, true}) {
                int cut = 0;
                Result result = new Result.Failed(new Fault(Fault.Kind.RETRYABLE, "not yet"));
                while (result instanceof Result.Failed && cut < MORE_REQUESTS_THAN_AN_END_HAS) {
                    assertDone(acting.onStart(assignment(VLAN)));
                    neutron.subnet(createdNetwork(), "10.1.0.0/24");
                    neutron.floatingIp(neutron.port(createdNetwork(), "compute:nova", "a-server"));
                    Thing router = neutron.router("p1");
                    neutron.connect(router, createdNetwork());
                    router.put("routes", List.of(route("10.9.0.0/24", "10.1.0.7")));
                    if (effect) {
                        proxy.failAfterEffect(cut);
                    } else {
                        proxy.failBeforeEffect(cut);
                    }
                    result = behind.acting().onEnd(assignment(VLAN));
                    proxy.heal();
                    assertDone(behind.acting().onEnd(assignment(VLAN)));
                    assertThat(neutron.networks()).isEmpty();
                    assertThat(neutron.ports()).isEmpty();
                    assertThat(neutron.routers()).as("cut off at %d", cut).isEmpty();
                    cut++;
                }
                assertThat(cut).isBetween(7, MORE_REQUESTS_THAN_AN_END_HAS - 1);
            }
        }
    }

    private Map<String, String> through(CloudFaultProxy proxy) throws IOException {
        Map<String, String> settings = new HashMap<>(neutron.settings());
        String url = settings.getOrDefault("auth-url", "");
        settings.put("auth-url", proxy.before(URI.create(url)).toString());
        return settings;
    }

    @Test
    void an_end_sends_one_change_per_port_and_two_for_the_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        for (int number = 0; number < 20; number++) {
            neutron.port(createdNetwork(), "compute:nova", "server-" + number);
        }
        int before = neutron.changes().size();

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.changes()).hasSize(before + 1 + 20 + 1);
    }

    @Test
    void an_end_succeeds_for_a_resource_that_is_already_gone() {
        assertDone(acting.onStart(assignment(VLAN)));
        assertDone(acting.onEnd(assignment(VLAN, OTHER)));
        assertDone(acting.onEnd(assignment(VLAN)));
        assertThat(neutron.networks()).isEmpty();
    }

    @Test
    void an_end_deletes_a_network_whose_tags_were_removed() {
        // Neutron's clock is a little late.
        neutron.setTime(START.minusSeconds(2));
        assertDone(acting.onStart(assignment(VLAN)));
        createdNetwork().put("tags", List.of());
        createdNetwork().put("description", "mine");

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
    }

    @Test
    void an_end_deletes_a_network_with_an_invalid_reservation_tag() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing createdNetwork = neutron.networks().getFirst();
        createdNetwork.put("tags", List.of("reservation:x"));
        createdNetwork.put("description", "reservation:");

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "network:router_interface, 7f9d1f7a-3a5f-4b32-8f2a-8a2ac0c1f2a3",
        "network:router_interface, ''",
        "network:router_centralized_snat, 7f9d1f7a-3a5f-4b32-8f2a-8a2ac0c1f2a3",
        "network:anything, x"
    })
    void a_port_with_a_forged_device_owner_does_not_block_the_end(String owner, String device) {
        assertDone(acting.onStart(assignment(VLAN)));
        neutron.port(neutron.networks().getFirst(), owner, device);

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
        assertThat(neutron.ports()).isEmpty();
    }
}
