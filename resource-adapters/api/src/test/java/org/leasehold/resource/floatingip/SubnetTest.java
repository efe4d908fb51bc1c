package org.leasehold.resource.floatingip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.resource.Acting.Discovery;

import java.util.List;
import java.util.Map;

class SubnetTest {

    private static final Subnet FOUR =
            new Subnet(
                    "sub-4",
                    "203.0.113.0/24",
                    "203.0.113.1",
                    List.of(
                            new Subnet.Pool("203.0.113.10", "203.0.113.99"),
                            new Subnet.Pool("203.0.113.110", "203.0.113.119")));
    private static final Subnet SIX =
            new Subnet(
                    "sub-6",
                    "2001:db8::/64",
                    null,
                    List.of(new Subnet.Pool("2001:db8::2", "2001:db8::ffff")));

    @ParameterizedTest
    @CsvSource({
        "203.0.113.200, sub-4",
        "203.0.113.2, sub-4",
        "203.0.113.100, sub-4",
        "203.0.113.254, sub-4",
        "2001:db8::1:0, sub-6",
        "2001:db8::, sub-6",
        "2001:db8::ffff:ffff:ffff:ffff, sub-6",
    })
    void an_address_outside_the_pools_can_be_leased(String address, String subnet) {
        assertThat(look(address))
                .isEqualTo(
                        new Discovery.Found(
                                "net/" + address,
                                "north",
                                null,
                                Map.of(
                                        "floating_network_id",
                                        "net",
                                        "subnet_id",
                                        subnet,
                                        "floating_ip_address",
                                        address)));
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.1, sub-4",
        "203.0.113.10, sub-4",
        "203.0.113.99, sub-4",
        "203.0.113.115, sub-4",
        "2001:db8::2, sub-6",
    })
    void a_gateway_or_pool_address_cannot_be_leased(String address, String subnet) {
        assertThat(look(address))
                .isEqualTo(
                        new Discovery.Unfit(
                                "The floating IP %s is used in allocation_pools or gateway_ip in subnet %s ."
                                        .formatted(address, subnet)));
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.112.255",
        "203.0.114.0",
        "203.0.113.0",
        "203.0.113.255",
        "2001:db8:0:1::",
        "::203.0.113.7",
    })
    void an_address_outside_all_subnets_is_not_found(String address) {
        assertThat(look(address)).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void a_subnet_of_two_addresses_contains_both() {
        Subnet two = new Subnet("two", "203.0.113.6/31", null, List.of());
        assertThat(two.contains("203.0.113.6")).isTrue();
        assertThat(two.contains("203.0.113.7")).isTrue();
        assertThat(two.contains("203.0.113.8")).isFalse();
    }

    private static Discovery look(String address) {
        return Subnet.discover(
                FloatingIp.of("net", address).orElseThrow(), "north", List.of(FOUR, SIX));
    }
}
