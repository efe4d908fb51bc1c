package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@ApiTest
class FocusExportRoutesTest {

    private static final String EXPORT = "/api/charges/focus";
    private static final String SLOW = EXPORT + "?from=" + FakeFocusExport.SLOWLY;

    @Autowired InMemoryEngine engine;
    @Autowired FakeCharges charges;
    @Autowired FakeFocusExport export;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        export.questions().clear();
    }

    @AfterEach
    void forget() {
        charges.has(true);
        engine.reset();
    }

    private ListCharges lastQuestion() {
        return export.questions().getLast();
    }

    @Test
    void the_default_export_covers_the_current_month() {
        Answer answer = client.get("biller", EXPORT);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualToIgnoringCase("text/csv;charset=UTF-8");
        assertThat(answer.response().body())
                .isEqualTo("columns of leasehold\r\nfor secretGpu=V100\r\n");
        assertThat(lastQuestion().from()).isEqualTo(Instant.parse("2026-11-01T00:00:00Z"));
        assertThat(lastQuestion().to()).isEqualTo(Instant.parse("2026-12-01T00:00:00Z"));
        assertThat(lastQuestion().now()).isEqualTo(ApiTestServer.NOW);
        assertThat(lastQuestion().marker()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reader", "member"})
    void a_project_user_exports_only_the_own_project(String user) {
        client.get(user, EXPORT);
        assertThat(lastQuestion().project()).isEqualTo(new ProjectId("p1"));

        Answer others = client.get(user, EXPORT + "?project=p2");
        assertThat(others.response().body()).isEqualTo("columns of leasehold\r\n");
        assertThat(export.questions()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"biller", "auditor", "admin"})
    void billers_auditors_and_administrators_export_all_projects(String user) {
        client.get(user, EXPORT);
        assertThat(lastQuestion().project()).isNull();

        client.get(user, EXPORT + "?project=p2");
        assertThat(lastQuestion().project()).isEqualTo(new ProjectId("p2"));
    }

    @Test
    void only_administrators_see_the_hidden_property_behind_a_premium() {
        engine.send(
                new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "secretGpu", true),
                CommandContext.ofEngine(ApiTestServer.NOW, "req-1", null));

        for (String user : List.of("member", "reader", "biller", "auditor")) {
            assertThat(client.get(user, EXPORT).response().body())
                    .as(user)
                    .isEqualTo("columns of leasehold\r\nfor property\r\n");
        }
        assertThat(client.get("admin", EXPORT).response().body())
                .isEqualTo("columns of leasehold\r\nfor secretGpu=V100\r\n");
    }

    @Test
    void an_export_without_price_plans_answers_404() {
        charges.has(false);

        Answer answer = client.get("biller", EXPORT);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/no-price-plans");
        assertThat(export.questions()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z, to",
        "from=2025-01-01T00:00:00Z&to=2026-01-02T00:00:01Z, to",
        "from=yesterday, from",
        "marker=x, marker",
        "colour=red, colour"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("member", EXPORT + "?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }

    @Test
    @Timeout(60)
    void a_third_concurrent_export_answers_503() throws Exception {
        export.hold(LongResponseLimiter.MAX_CONCURRENT);
        try (ExecutorService others =
                Executors.newFixedThreadPool(LongResponseLimiter.MAX_CONCURRENT)) {
            Callable<Answer> slow = () -> client.get("biller", SLOW);
            List<Future<Answer>> two = List.of(others.submit(slow), others.submit(slow));
            export.awaitBegun();

            Answer third = client.get("admin", EXPORT);
            export.goOn();

            assertThat(third.status()).isEqualTo(503);
            assertThat(third.json().path("type").asString()).isEqualTo("/problems/busy");
            for (Future<Answer> answer : two) {
                assertThat(answer.get().status()).isEqualTo(200);
            }
        }
        assertThat(client.get("admin", EXPORT).status()).isEqualTo(200);
    }

    @Test
    @Timeout(60)
    void a_slow_export_blocks_only_exports_of_the_same_project() throws Exception {
        export.hold(1);
        try (ExecutorService others = Executors.newSingleThreadExecutor()) {
            Future<Answer> slow = others.submit(() -> client.get("member", SLOW));
            export.awaitBegun();

            Answer second = client.get("reader", EXPORT);
            Answer anothers = client.get("stranger", EXPORT);
            Answer billers = client.get("biller", EXPORT);
            export.goOn();

            assertThat(second.status()).isEqualTo(503);
            assertThat(second.json().path("type").asString()).isEqualTo("/problems/busy");
            assertThat(second.json().path("detail").asString()).contains("for one project");
            assertThat(second.header("Retry-After")).isEqualTo("1");
            assertThat(anothers.status()).isEqualTo(200);
            assertThat(billers.status()).isEqualTo(200);
            assertThat(slow.get().status()).isEqualTo(200);
        }
        assertThat(client.get("reader", EXPORT).status()).isEqualTo(200);
    }

    @Test
    void a_failed_export_aborts_the_response() {
        for (int i = 0; i <= LongResponseLimiter.MAX_CONCURRENT; i++) {
            assertThatThrownBy(() -> client.get("biller", EXPORT + "?project=broken"))
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void an_export_that_cannot_start_answers_503() {
        Answer answer = client.get("biller", EXPORT + "?project=gone");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.isProblem()).isTrue();
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/unavailable");
    }
}
