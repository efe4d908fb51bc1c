package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Discovery;

import java.util.UUID;
import java.util.stream.IntStream;

/** Tests the zones of hosts. */
class HostZonesTest extends HostInventoryFixture {

    @Test
    void a_host_of_another_availability_zone_cannot_be_enrolled() {
        nova.group("racks", "az1", "compute-5");

        assertThat(acting.discover("compute-5"))
                .isInstanceOfSatisfying(
                        Discovery.Unknown.class,
                        unknown -> {
                            assertThat(unknown.fault().kind()).isEqualTo(Fault.Kind.PERMANENT);
                            assertThat(unknown.fault().message()).contains("az1");
                        });
    }

    @Test
    void a_host_has_the_default_zone_of_nova() {
        assertThat(zone("compute-5")).isEqualTo("nova");

        nova.nameDefaultZone("east");

        assertThat(zone("compute-5")).isEqualTo("east");
        assertThat(acting.discover("compute-5"))
                .isInstanceOfSatisfying(
                        Discovery.Found.class, host -> assertThat(host.zone()).isEqualTo("east"));
    }

    @Test
    void a_host_of_another_aggregate_has_the_zone_of_the_aggregate() {
        nova.group("racks", "az1", "compute-5");

        assertThat(zone("compute-5")).isEqualTo("az1");
        assertThat(zone("compute-6")).isEqualTo("nova");
    }

    @Test
    void a_leased_host_keeps_the_zone() {
        nova.nameDefaultZone("east");
        assertThat(zone("compute-1")).isEqualTo("east");

        acting.onStart(assignment("compute-1"));
        assertThat(zone("compute-1")).isEqualTo("east");

        // No host is left that shows the name of the default zone.
        nova.group(
                "others",
                "az1",
                IntStream.rangeClosed(2, 12)
                        .mapToObj(number -> "compute-" + number)
                        .toArray(String[]::new));
        assertThat(zone("compute-1")).isEqualTo("east");
        assertThat(zone("compute-2")).isEqualTo("az1");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 500})
    void hosts_have_the_zone_nova_if_no_zones_are_listed(int status) {
        nova.nameDefaultZone("east");
        nova.failZones(status);

        assertThat(zone("compute-5")).isEqualTo("nova");
    }

    @Test
    void hosts_keep_the_last_default_zone_if_no_zones_are_listed() {
        nova.nameDefaultZone("east");
        assertThat(zone("compute-5")).isEqualTo("east");

        nova.failZones(503);

        assertThat(zone("compute-5")).isEqualTo("east");
    }

    @Test
    void the_zone_of_a_reservation_is_not_the_default_zone() {
        // As if a lease started between the queries for aggregates and for zones.
        nova.nameDefaultZone("blazar_" + new UUID(1, 1));

        assertThat(zone("compute-5")).isEqualTo("nova");
    }

    private String zone(String host) {
        return look(host).found().get(host).zone();
    }
}
