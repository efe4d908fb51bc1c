package org.leasehold.gateway.request.header;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;

class RequestOriginParserTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7",
        "192.0.2.7:4711, 192.0.2.7",
        "::ffff:192.0.2.7, 192.0.2.7",
        "2001:db8::7, 2001:db8:0:0:0:0:0:7",
        "[2001:db8::7], 2001:db8:0:0:0:0:0:7",
        "[2001:db8::7]:4711, 2001:db8:0:0:0:0:0:7",
        "fe80::1%eth0, fe80:0:0:0:0:0:0:1",
        "unknown, ",
        "_hidden, ",
        "localhost, ",
        "192.0.2, ",
        "192.0.2.256, ",
        "'', "
    })
    void an_origin_address_is_normalized_or_null(String text, @Nullable String address) {
        InetAddress found = RequestOriginParser.parseAddress(text);

        assertThat(found == null ? null : found.getHostAddress()).isEqualTo(address);
    }

    @Test
    void an_agent_name_is_cleaned_and_truncated() {
        assertThat(RequestOriginParser.cleanAgent(" curl/8\u0000\u001b[31m\r\n"))
                .isEqualTo("curl/8 [31m");
        assertThat(RequestOriginParser.cleanAgent("\t \u0007")).isNull();
        assertThat(RequestOriginParser.cleanAgent("x".repeat(5000))).hasSize(255);
    }
}
