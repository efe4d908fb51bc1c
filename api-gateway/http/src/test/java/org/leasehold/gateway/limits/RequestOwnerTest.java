package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestOwnerTest {

    @Test
    void the_addresses_of_one_ipv6_network_are_one_owner() {
        assertThat(RequestOwner.normalizeAddress("2001:db8:1:2::1"))
                .isEqualTo(RequestOwner.normalizeAddress("2001:db8:1:2:ffff::2"))
                .isNotEqualTo(RequestOwner.normalizeAddress("2001:db8:1:3::1"));
    }

    @Test
    void two_ipv4_addresses_are_two_owners() {
        assertThat(RequestOwner.normalizeAddress("192.0.2.1"))
                .isNotEqualTo(RequestOwner.normalizeAddress("192.0.2.2"));
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
        assertThat(RequestOwner.normalizeAddress(form))
                .isEqualTo(RequestOwner.normalizeAddress(address));
    }

    @Test
    void the_key_of_a_long_text_has_64_characters() {
        String text = "x".repeat(8000);
        assertThat(RequestOwner.normalizeAddress(text))
                .hasSize(64)
                .isNotEqualTo(RequestOwner.normalizeAddress(text + "y"));

        MockHttpServletRequest request = new MockHttpServletRequest();
        RequestOwner.set(request, "user " + text);
        assertThat(RequestOwner.of(request)).hasSize(64);
    }

    @Test
    void a_missing_address_is_unknown() {
        assertThat(RequestOwner.normalizeAddress(null)).isEqualTo("unknown");
    }

    @Test
    void text_that_is_not_an_address_gets_an_address_prefix() {
        assertThat(RequestOwner.normalizeAddress("unknown")).isEqualTo("address unknown");
    }
}
