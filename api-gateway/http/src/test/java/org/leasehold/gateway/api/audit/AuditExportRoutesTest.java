package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.api.export.LongResponseLimiter;
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
class AuditExportRoutesTest {

    private static final String EXPORT = "/api/audit/export";

    @Autowired InMemoryEngine engine;
    @Autowired FakeAuditExport export;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    @Test
    void an_export_ends_at_the_requested_or_the_last_head() {
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
    void an_export_withholds_hidden_properties_and_secret_parameters() {
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
    void a_third_concurrent_export_answers_503() throws Exception {
        try (ExecutorService others =
                Executors.newFixedThreadPool(LongResponseLimiter.MAX_CONCURRENT)) {
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
    void a_failed_export_aborts_the_response() {
        for (int i = 0; i <= LongResponseLimiter.MAX_CONCURRENT; i++) {
            assertThatThrownBy(() -> client.get("auditor", EXPORT + "?until=3"))
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void an_export_that_cannot_start_answers_503() {
        Answer answer = client.get("auditor", EXPORT + "?until=4");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.isProblem()).isTrue();
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/unavailable");
    }
}
