package org.leasehold.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.Limit;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class RequestObservationConventionTest {

    private final RequestObservationConvention observed = new RequestObservationConvention();

    private static ServerRequestObservationContext context(MockHttpServletRequest request) {
        return new ServerRequestObservationContext(request, new MockHttpServletResponse());
    }

    private KeyValues traced(String path) {
        return observed.getHighCardinalityKeyValues(
                context(new MockHttpServletRequest("GET", path)));
    }

    @Test
    void the_secret_url_of_a_feed_is_not_traced() {
        assertThat(traced("/calendar/abc.ics").toString()).doesNotContain("abc");
        assertThat(traced("/api/leases/abc").toString()).contains("abc");
    }

    @Test
    void a_request_is_measured_with_the_limit_that_refused_it() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/leases");
        assertThat(observed.getLowCardinalityKeyValues(context(request)))
                .contains(KeyValue.of("limit", "none"));

        Limit.REQUESTS.attachTo(request);

        assertThat(observed.getLowCardinalityKeyValues(context(request)))
                .contains(KeyValue.of("limit", "requests.all-at-once"));
    }
}
