package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LongReadLimitException;
import org.leasehold.gateway.request.error.RequestId;
import org.springframework.mock.web.MockHttpServletRequest;

import java.time.Duration;

class LongReadErrorsTest {

    @Test
    void a_rejected_long_read_counts_for_the_long_read_limit() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/calendar");
        request.setAttribute(RequestId.class.getName(), new RequestId("req-1"));

        new ApiErrors().toResponse(new LongReadLimitException(Duration.ofSeconds(5)), request);

        assertThat(Limit.of(request)).contains(Limit.LONG_READS);
    }
}
