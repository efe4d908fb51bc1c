package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

class BlazarApiUrlTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:1234/v1",
        "0.0.0.0, http://127.0.0.1:1234/v1",
        "::, http://[::1]:1234/v1",
        "fd00::5, http://[fd00::5]:1234/v1",
        "leases.example.org, http://leases.example.org:1234/v1"
    })
    void the_url_contains_a_reachable_form_of_the_listen_address(String address, String endpoint) {
        MockEnvironment environment = new MockEnvironment().withProperty("server.address", address);

        assertThat(BlazarApiUrl.of(environment)).isEqualTo(endpoint);
    }

    @ParameterizedTest
    @CsvSource({"true, https", "false, http"})
    void the_url_scheme_is_https_only_if_tls_is_enabled(String enabled, String scheme) {
        MockEnvironment environment =
                new MockEnvironment()
                        .withProperty("server.ssl.bundle", "web")
                        .withProperty("server.ssl.enabled", enabled)
                        .withProperty("server.port", "0")
                        .withProperty("local.server.port", "4711");

        assertThat(BlazarApiUrl.of(environment)).isEqualTo(scheme + "://127.0.0.1:4711/v1");
    }
}
