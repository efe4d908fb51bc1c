package org.leasehold.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.limits.RequestOwner;
import org.leasehold.gateway.request.error.Challenge;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.request.error.RequestId;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

class BodyFilterTest {

    private static final DataSize KILOBYTE = DataSize.ofKilobytes(1);
    private static final FilterChain SERVED = (_, _) -> {};

    private final BodyFilter filter =
            new BodyFilter(
                    new LimitSettings.Bodies(
                            Duration.ofMinutes(1),
                            KILOBYTE,
                            KILOBYTE,
                            KILOBYTE,
                            DataSize.ofBytes(1536)),
                    new ErrorResponseWriter(Challenge.BASIC));

    @Test
    void a_caller_beyond_the_body_budget_gets_429_with_retry_after() throws Exception {
        MockHttpServletResponse second = new MockHttpServletResponse();
        send("alice", new MockHttpServletResponse(), (_, _) -> send("alice", second, SERVED));

        assertThat(second.getStatus()).isEqualTo(429);
        assertThat(second.getHeader("Retry-After")).isEqualTo("1");

        MockHttpServletResponse third = new MockHttpServletResponse();
        send("alice", third, SERVED);
        assertThat(third.getStatus()).isEqualTo(200);
    }

    @Test
    void a_body_beyond_the_total_budget_gets_503_with_retry_after() throws Exception {
        MockHttpServletResponse second = new MockHttpServletResponse();
        send("alice", new MockHttpServletResponse(), (_, _) -> send("bob", second, SERVED));

        assertThat(second.getStatus()).isEqualTo(503);
        assertThat(second.getHeader("Retry-After")).isEqualTo("1");

        MockHttpServletResponse third = new MockHttpServletResponse();
        send("bob", third, SERVED);
        assertThat(third.getStatus()).isEqualTo(200);
    }

    @Test
    void large_bodies_do_not_block_bodies_of_the_usual_size() throws Exception {
        BodyFilter both =
                new BodyFilter(
                        new LimitSettings.Bodies(
                                Duration.ofMinutes(1),
                                KILOBYTE,
                                DataSize.ofKilobytes(2),
                                DataSize.ofKilobytes(2),
                                DataSize.ofKilobytes(2)),
                        new ErrorResponseWriter(Challenge.BASIC));
        MockHttpServletResponse small = new MockHttpServletResponse();
        MockHttpServletResponse another = new MockHttpServletResponse();

        both.doFilter(
                body("alice", 2000),
                new MockHttpServletResponse(),
                (_, _) -> {
                    both.doFilter(body("bob", 1000), small, SERVED);
                    both.doFilter(body("bob", 2000), another, SERVED);
                });

        assertThat(small.getStatus()).isEqualTo(200);
        assertThat(another.getStatus()).isEqualTo(503);
    }

    @Test
    void a_rejected_body_records_the_exceeded_limit() throws Exception {
        MockHttpServletRequest own = body("alice", 1000);
        MockHttpServletRequest others = body("bob", 1000);
        MockHttpServletRequest large = body("carol", 1025);
        filter.doFilter(
                body("alice", 1000),
                new MockHttpServletResponse(),
                (_, _) -> {
                    filter.doFilter(own, new MockHttpServletResponse(), SERVED);
                    filter.doFilter(others, new MockHttpServletResponse(), SERVED);
                    filter.doFilter(large, new MockHttpServletResponse(), SERVED);
                });

        assertThat(Limit.of(own)).contains(Limit.BODIES_OF_CALLER);
        assertThat(Limit.of(others)).contains(Limit.BODIES);
        assertThat(Limit.of(large)).contains(Limit.BYTES_OF_BODY);
    }

    /** Sends a body that fits the budget of one caller once, and that of all callers not twice. */
    private void send(String owner, MockHttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        filter.doFilter(body(owner, 1000), response, chain);
    }

    private static MockHttpServletRequest body(String owner, int bytes) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/leases");
        RequestId.assign(request, new MockHttpServletResponse());
        RequestOwner.set(request, owner);
        request.setContent(" ".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
        return request;
    }
}
