package org.leasehold.resource.floatingip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FloatingIpTest {

    @Test
    void the_name_consists_of_the_network_and_the_address() {
        FloatingIp ip = new FloatingIp("net-1", "192.0.2.7");

        assertThat(ip.name()).isEqualTo("net-1/192.0.2.7");
        assertThat(FloatingIp.fromName(ip.name())).contains(ip);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7",
        "0.0.0.0, 0.0.0.0",
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
        "2001:db8::1, 2001:db8::1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:0:0:1:0:0:2:1, 2001::1:0:0:2:1",
        "::, ::",
        "::1, ::1",
        "fe80::, fe80::",
        "::ffff:192.0.2.7, 192.0.2.7",
    })
    void an_address_has_one_canonical_form(String given, String canonical) {
        assertThat(FloatingIp.canonical(given)).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "1",
                "192.0.2",
                "192.0.2.256",
                "192.0.2.1.",
                "192.0.2.1.1",
                "192.0.2.1 ",
                "0x7f.0.0.1",
                "fe80::1%1",
                "[::1]",
                ":",
                ":::",
                "1:2:3",
                "12345::",
                "192.0.2.1/24",
            })
    void a_malformed_text_is_no_address(String given) {
        assertThat(FloatingIp.canonical(given)).isEmpty();
        assertThat(FloatingIp.of("net-1", given)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "net-1", "192.0.2.7", "/192.0.2.7", "net 1/192.0.2.7", "a/b/::1"})
    void a_malformed_text_is_no_name(String name) {
        assertThat(FloatingIp.fromName(name)).isEmpty();
    }
}
