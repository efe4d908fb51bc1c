package org.leasehold.gateway.security.access;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.request.error.Challenge;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.request.error.RequestId;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

class RequestLimitFilterTest {

    private static final int OF_ONE_ADDRESS = 1;
    private static final int OF_ALL_ADDRESSES = 2;

    private final RequestLimitFilter filter =
            new RequestLimitFilter(
                    new LimitSettings.Requests(
                            0, 1, 1, 1, OF_ONE_ADDRESS, OF_ALL_ADDRESSES, Duration.ZERO),
                    new ErrorResponseWriter(Challenge.BASIC));

    @Test
    void a_limited_address_gets_429_and_others_are_served() throws Exception {
        List<Integer> statuses = new ArrayList<>();

        send(
                "192.0.2.1",
                statuses,
                () -> {
                    send("192.0.2.1", statuses, () -> {});
                    send("192.0.2.2", statuses, () -> {});
                });

        assertThat(statuses).containsExactly(429, 200, 200);
    }

    @Test
    void all_addresses_together_have_a_limit() throws Exception {
        List<Integer> statuses = new ArrayList<>();

        send(
                "192.0.2.1",
                statuses,
                () -> send("192.0.2.2", statuses, () -> send("192.0.2.3", statuses, () -> {})));

        assertThat(statuses).containsExactly(503, 200, 200);
    }

    /** The work of a request, during which the request has its slot. */
    private interface Work {
        void run() throws ServletException, IOException;
    }

    private void send(String address, List<Integer> statuses, Work work)
            throws ServletException, IOException {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/openapi.json");
        request.setRemoteAddr(address);
        MockHttpServletResponse response = new MockHttpServletResponse();
        RequestId.assign(request, response);
        FilterChain chain = (_, _) -> work.run();
        filter.doFilter(request, response, chain);
        statuses.add(response.getStatus());
        assertThat(response.containsHeader("Retry-After")).isEqualTo(response.getStatus() != 200);
    }
}
