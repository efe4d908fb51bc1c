package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

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

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1:49152, 192.0.2.1",
        "::ffff:192.0.2.1, 192.0.2.1",
        "[2001:db8:1:2::1]:49152, 2001:db8:1:2::1",
        "[2001:db8:1:2::1], 2001:db8:1:2::1",
        "fe80::1%7, fe80::1",
        "[fe80::1%7]:49152, fe80::1",
        "_proxy:49152, _proxy"
    })
    void an_address_in_another_form_is_the_same_owner(String form, String address) {
        assertThat(RequestOwner.address(form)).isEqualTo(RequestOwner.address(address));
    }

    @Test
    void keys_are_short_however_long_their_texts_are() {
        String text = "x".repeat(8000);
        assertThat(RequestOwner.address(text))
                .hasSize(64)
                .isNotEqualTo(RequestOwner.address(text + "y"));

        MockHttpServletRequest request = new MockHttpServletRequest();
        RequestOwner.set(request, "user " + text);
        assertThat(RequestOwner.of(request)).hasSize(64);
    }

    @Test
    void a_client_that_is_gone_is_unknown() {
        assertThat(RequestOwner.address(null)).isEqualTo("unknown");
    }

    @Test
    void text_that_is_no_address_is_not_the_name_of_a_user() {
        assertThat(RequestOwner.address("unknown")).isEqualTo("address unknown");
    }
}
