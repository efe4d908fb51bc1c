package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.runtime.Client.Answer;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Tests clients that use all resources, together with normal clients. */
class GreedyClientsIT extends GreedyClientsFixture {

    @Test
    void endless_request_bodies_do_not_block_other_clients() throws IOException {
        String other = product.as("other").authorization();
        for (int i = 0; i < 200; i++) {
            connect(product).announce("POST /v1/leases", JSON, other);
        }
        for (int i = 0; i < 100; i++) {
            connect(product).announce("POST /v1/leases", JSON, "");
            connect(product).announce("PUT /v1/leases/1", FORM, "");
            connect(product).announce("PATCH /api/leases/1", FORM, "");
        }
        trickle();

        for (RawConnection anonymous : connections.subList(200, 500)) {
            assertThat(anonymous.status()).isEqualTo(401);
        }
        othersGoOn(product);
    }

    @Test
    void unread_responses_do_not_block_other_clients() throws IOException {
        for (int i = 0; i < 100; i++) {
            RawConnection connection = connect(patient);
            for (int pipelined = 0; pipelined < 20; pipelined++) {
                connection.send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
        }
        othersGoOn(patient);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/leases", "/api/leases"})
    void a_long_list_is_compressed_for_a_client_that_accepts_gzip(String list) throws IOException {
        othersGoOn(product);

        assertThat(headersOf(list, "Accept-Encoding: gzip\r\n"))
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase("Content-Encoding: gzip")
                .containsPattern("(?i)\\r\\nVary: [^\\r]*Accept-Encoding");
        assertThat(headersOf(list, ""))
                .startsWith("HTTP/1.1 200")
                .doesNotContainIgnoringCase("Content-Encoding");
    }

    @Test
    void a_slow_request_body_answers_408() throws IOException {
        RawConnection slow = connect(product);
        slow.announce("POST /api/leases", JSON, product.as("demo").authorization());
        trickle();

        assertThat(slow.untilClosed())
                .startsWith("HTTP/1.1 408")
                .containsIgnoringCase("Connection: close")
                .contains("The body of the request took too long to arrive.");
    }

    @Test
    void a_missing_request_body_answers_408() throws IOException {
        RawConnection silent = connect(product);
        silent.announce("POST /api/leases", JSON, product.as("demo").authorization());

        assertThat(silent.untilClosed())
                .startsWith("HTTP/1.1 408")
                .containsIgnoringCase("Connection: close")
                .contains("The body of the request took too long to arrive.");
    }

    @ParameterizedTest
    @ValueSource(strings = {JSON, FORM})
    void a_401_before_the_end_of_the_body_closes_the_connection(String type) throws IOException {
        for (String request :
                List.of("POST /v1/leases", "PUT /v1/leases/1", "PATCH /api/leases/1")) {
            RawConnection stranger = connect(product);
            stranger.announce(request, type, "");
            trickle();

            assertThat(stranger.untilClosed())
                    .startsWith("HTTP/1.1 401")
                    .containsIgnoringCase("Connection: close");
        }
    }

    @ParameterizedTest
    @CsvSource({"demo, 50000, 403", "admin, 5000000, 413"})
    void a_refusal_before_the_end_of_the_body_closes_the_connection(
            String user, int length, int status) throws IOException {
        RawConnection refused = connect(product);
        refused.announce("POST /v1/os-hosts", JSON, product.as(user).authorization(), length);
        trickle();

        assertThat(refused.untilClosed())
                .startsWith("HTTP/1.1 " + status)
                .containsIgnoringCase("Connection: close");
    }

    @Test
    void a_401_after_the_whole_body_keeps_the_connection_open() throws IOException {
        RawConnection stranger = connect(product);
        String request =
                "POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
        stranger.send(request + request.replace("/1.1", "/1.0"));

        assertThat(stranger.untilClosed()).containsSubsequence("HTTP/1.1 401", "HTTP/1.1 401");
    }

    @Test
    void repeated_failed_logins_answer_429_and_are_counted() throws IOException {
        Client guessing = new Client(patient.root(), "demo", "guessed");
        Await.until("the address has to pause", () -> guessing.get("/v1/leases").status() == 429);

        Answer refused = guessing.get("/api/leases");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers().firstValueAsLong("Retry-After")).isPresent();
        assertThat(metrics()).contains("leasehold_logins_failed_total 3.0");
        Client admin = patient.as("admin");
        Await.until(
                "the denied logins are recorded",
                () ->
                        admin.get("/api/audit/denied?user=demo&address=127.0.0.1")
                                .text()
                                .contains("login_throttled"));
        assertThat(admin.get("/api/audit/denied?user=demo&address=127.0.0.1").text())
                .contains("login_failed");
    }

    @Test
    void the_metrics_count_rejected_requests_by_limit() throws IOException {
        RawConnection slow = connect(patient);
        slow.announce("POST /api/leases", JSON, patient.as("other").authorization());
        Await.until(
                "the only slot is taken",
                () -> patient.as("demo").get("/api/leases").status() == 503);
        slow.close();
        Await.until(
                "the slot is free", () -> patient.as("demo").get("/api/leases").status() == 200);

        assertThat(metrics())
                .containsPattern("leasehold_limited_total\\{limit=\"requests.all-at-once\"} [1-9]")
                .contains("leasehold_limited_total{limit=\"bodies.all\"} 0.0")
                .containsPattern(
                        "http_server_requests_seconds_count\\{[^}]*limit=\"requests.all-at-once\""
                                + "[^}]*status=\"503\"");
    }

    @Test
    void a_request_over_the_rate_limit_answers_429_with_retry_after() {
        Client reader = patient.as("reader");
        AtomicReference<Answer> last = new AtomicReference<>();
        Await.until(
                "the burst is over",
                () -> {
                    last.set(reader.get("/api/leases"));
                    return last.get().status() == 429;
                });

        Answer refused = last.get();
        assertThat(refused.headers().firstValueAsLong("Retry-After").getAsLong()).isBetween(1L, 2L);
        othersGoOn(patient);
    }

    @Test
    void probes_answer_200_at_the_concurrency_limit() throws IOException {
        RawConnection slow = connect(patient);
        slow.announce("POST /api/leases", JSON, patient.as("other").authorization());
        Await.until(
                "the only slot is taken",
                () -> patient.as("demo").get("/api/leases").status() == 503);

        Client probe = new Client("http://127.0.0.1:" + patient.probesPort());
        probe.get("/actuator/health/liveness").expect(200);
        probe.get("/actuator/health/readiness").expect(200);
        patient.asAnonymous().get("/actuator/health/readiness").expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"liveness", "readiness"})
    void each_probe_contains_the_status_of_the_vital_threads(String probe) {
        String port = "http://127.0.0.1:" + product.probesPort();
        JsonNode health = new Client(port).get("/actuator/health/" + probe).expect(200);
        assertThat(health.at("/components/vital/status").asString()).isEqualTo("UP");
    }

    @Test
    void the_probe_port_serves_only_probes() {
        String port = "http://127.0.0.1:" + product.probesPort();
        assertThat(new Client(port).get("/openapi.json").status()).isEqualTo(404);
        assertThat(new Client(port).get("/v1/leases").status()).isEqualTo(404);
        assertThat(new Client(port).get("/actuator/health/../prometheus").status()).isIn(400, 404);
    }
}
