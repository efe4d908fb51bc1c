package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestOwnerTest {

    @Test
    void the_addresses_of_one_ipv6_network_are_one_owner() {
        assertThat(RequestOwner.address("2001:db8:1:2::1"))
                .isEqualTo(RequestOwner.address("2001:db8:1:2:ffff::2"))
                .isNotEqualTo(RequestOwner.address("2001:db8:1:3::1"));
    }

    @Test
    void two_ipv4_addresses_are_two_owners() {
        assertThat(RequestOwner.address("192.0.2.1"))
                .isNotEqualTo(RequestOwner.address("192.0.2.2"));
    }

    @Test
    void what_is_no_address_is_taken_as_it_is() {
        assertThat(RequestOwner.address("unknown")).isEqualTo("unknown");
    }
}
