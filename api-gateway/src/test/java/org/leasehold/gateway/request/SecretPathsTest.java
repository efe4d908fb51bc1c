package org.leasehold.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValues;

import org.junit.jupiter.api.Test;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class SecretPathsTest {

    private static KeyValues observed(String path) {
        return new SecretPaths()
                .getHighCardinalityKeyValues(
                        new ServerRequestObservationContext(
                                new MockHttpServletRequest("GET", path),
                                new MockHttpServletResponse()));
    }

    @Test
    void the_address_of_a_calendar_is_not_traced() {
        assertThat(observed("/calendar/abc.ics").toString()).doesNotContain("abc");
        assertThat(observed("/api/leases/abc").toString()).contains("abc");
    }
}
