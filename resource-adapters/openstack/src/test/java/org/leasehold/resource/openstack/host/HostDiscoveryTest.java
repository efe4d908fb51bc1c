package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.openstack.compute.FakeNova;

/** Tests the names by which an operator can enrol a host. */
class HostDiscoveryTest extends HostsFixture {

    private String found(String name) {
        return acting.discover(name) instanceof Discovery.Found host ? host.name() : "none";
    }

    @Test
    void a_host_is_found_by_the_name_of_the_compute_service() {
        assertThat(found(FakeNova.serviceOf("compute-1"))).isEqualTo("compute-1");
        assertThat(found(FakeNova.serviceOf("compute-12"))).isEqualTo("compute-12");
    }

    @Test
    void a_host_with_servers_is_in_use_by_the_name_of_the_compute_service_too() {
        nova.boot("busy", STRANGER, "compute-3");

        assertThat(acting.discover(FakeNova.serviceOf("compute-3")))
                .isInstanceOfSatisfying(
                        Discovery.InUse.class,
                        used -> assertThat(used.users()).containsExactly("busy"));
    }

    @Test
    void an_exact_name_is_not_ambiguous() {
        assertThat(found("compute-1")).isEqualTo("compute-1");
    }

    @Test
    void a_part_of_a_name_finds_the_only_host_with_that_part() {
        assertThat(found("ute-12")).isEqualTo("compute-12");
        assertThat(found("compute-")).isEqualTo("none");
        assertThat(found("compute-99")).isEqualTo("none");
    }
}
