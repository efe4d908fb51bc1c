package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.method.HandlerMethod;

import java.util.Map;

class LongReadInterceptorTest {

    static final class Routes {

        @LongRead
        void report() {}

        @LongRead(with = "as_of")
        void list() {}

        void show() {}
    }

    private static boolean isLong(String handler, Map<String, String> query)
            throws NoSuchMethodException {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        query.forEach(request::setParameter);
        try (ClientThreadMarker.Mark _ = ClientThreadMarker.mark()) {
            new LongReadInterceptor()
                    .preHandle(
                            request,
                            new MockHttpServletResponse(),
                            new HandlerMethod(
                                    new Routes(), Routes.class.getDeclaredMethod(handler)));
            return ClientThreadMarker.isLongRead();
        }
    }

    @Test
    void a_handler_annotation_marks_a_request_as_a_long_read() throws Exception {
        assertThat(isLong("report", Map.of())).isTrue();
        assertThat(isLong("list", Map.of("as_of", "2026-01-01T00:00:00Z"))).isTrue();
        assertThat(isLong("list", Map.of("limit", "1"))).isFalse();
        assertThat(isLong("show", Map.of())).isFalse();
    }

    @Test
    void a_long_read_does_not_mark_the_next_request_of_the_thread() throws Exception {
        isLong("report", Map.of());

        assertThat(ClientThreadMarker.isLongRead()).isFalse();
        assertThat(isLong("show", Map.of())).isFalse();
    }

    @Test
    void a_thread_of_the_engine_has_no_long_reads() {
        ClientThreadMarker.markLongRead();

        assertThat(ClientThreadMarker.isLongRead()).isFalse();
    }
}
