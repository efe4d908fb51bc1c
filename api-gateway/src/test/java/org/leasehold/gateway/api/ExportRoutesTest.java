package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@ApiTest
class ExportRoutesTest {

    private static final String EXPORT = "/api/audit/export";

    @Autowired InMemoryEngine engine;
    @Autowired ExportOnPaper export;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        engine.reset();
        client = new ApiClient(new PaperApi(port, engine));
    }

    @Test
    void it_goes_to_the_last_head_or_to_an_earlier_one() {
        Answer whole = client.get("auditor", EXPORT);

        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.header("Content-Type")).startsWith("application/x-ndjson");
        assertThat(whole.response().body()).startsWith("leasehold 5\n").endsWith("\n");
        assertThat(client.get("auditor", EXPORT + "?until=1").response().body())
                .startsWith("leasehold 1\n");
        assertThat(client.get("auditor", EXPORT + "?until=6").response().body())
                .startsWith("leasehold 5\n");
    }

    @Test
    void what_the_feed_hides_is_withheld() {
        client.send(
                "admin",
                "POST",
                "/api/resources",
                "{\"kind\": \"physical:host\", \"name\": \"compute-1\","
                        + " \"capabilities\": {\"gpuModel\": \"V100\"}}");
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");

        assertThat(seen("auditor"))
                .containsExactly("lease WHOLE", "grant STREAM", "stack STREAM", "property NOTHING");
        assertThat(seen("admin"))
                .containsExactly("lease WHOLE", "grant WHOLE", "stack STREAM", "property WHOLE");
    }

    private List<String> seen(String user) {
        return client.get(user, EXPORT).response().body().lines().skip(1).toList();
    }

    @Test
    @Timeout(60)
    void no_more_than_two_are_made_at_once() throws Exception {
        try (ExecutorService others = Executors.newFixedThreadPool(Places.AT_ONCE)) {
            Callable<Answer> slow = () -> client.get("auditor", EXPORT + "?until=2");
            List<Future<Answer>> two = List.of(others.submit(slow), others.submit(slow));
            export.begun.await();

            Answer third = client.get("admin", EXPORT);
            export.goOn.countDown();

            assertThat(third.status()).isEqualTo(503);
            assertThat(third.json().path("type").asString()).isEqualTo("/problems/busy");
            assertThat(third.header("Retry-After")).isEqualTo("1");
            for (Future<Answer> answer : two) {
                assertThat(answer.get().status()).isEqualTo(200);
            }
        }
        assertThat(client.get("admin", EXPORT).status()).isEqualTo(200);
    }

    @Test
    void one_that_breaks_off_does_not_look_like_a_whole_one() {
        for (int i = 0; i <= Places.AT_ONCE; i++) {
            assertThatThrownBy(() -> client.get("auditor", EXPORT + "?until=3"))
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void one_that_cannot_begin_is_a_problem() {
        Answer answer = client.get("auditor", EXPORT + "?until=4");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.isProblem()).isTrue();
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/unavailable");
    }
}
