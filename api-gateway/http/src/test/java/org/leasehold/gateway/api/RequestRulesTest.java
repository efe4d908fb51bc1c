package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Rules for every request of all APIs. */
@ApiTest
class RequestRulesTest {

    private static final String LEASE = "/api/leases/00000000-0000-0000-0000-000000000009";

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private InMemoryApi api;
    private ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        api = new InMemoryApi(port, engine);
        client = new ApiClient(api);
    }

    private Answer change(String method, String path, String header, String value) {
        return client.send(
                client.request("member", path)
                        .header(header, value)
                        .method(method, BodyPublishers.noBody()));
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "Origin, https://evil.example",
        "Origin, null",
        "Origin, http://127.0.0.1:1",
        "Origin, ://",
    })
    void a_cross_site_change_answers_403(String header, String value) {
        for (String path : List.of(LEASE, "/v1/leases/x", "/api/nonsense")) {
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
                Answer answer = change(method, path, header, value);
                assertThat(answer.status()).as(method + path).isEqualTo(403);
                assertThat(answer.response().body()).contains("another site");
            }
        }
        assertThat(change("GET", "/api/leases", header, value).status()).isEqualTo(200);
    }

    @Test
    void same_origin_and_non_browser_changes_are_permitted() {
        assertThat(change("DELETE", LEASE, "Sec-Fetch-Site", "same-origin").status())
                .isEqualTo(404);
        assertThat(change("DELETE", LEASE, "Sec-Fetch-Site", "none").status()).isEqualTo(404);
        assertThat(change("DELETE", LEASE, "Origin", "http://127.0.0.1:" + port).status())
                .isEqualTo(404);
        assertThat(client.send("member", "DELETE", LEASE, null).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data", "multipart/form-data; boundary=", "multipart/x"})
    void a_multipart_content_type_causes_no_server_error(String type) {
        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE")) {
            for (String path :
                    List.of("/", "/v1/leases", "/api/leases", LEASE, "/openapi.json", "/error")) {
                Answer answer =
                        client.send(
                                client.request("member", path)
                                        .header("Content-Type", type)
                                        .method(method, BodyPublishers.ofString("x")));
                assertThat(answer.status()).as(method + path).isLessThan(500);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH"})
    void a_form_body_answers_415(String method) {
        Answer answer =
                client.send(
                        client.request("member", method.equals("POST") ? "/api/leases" : LEASE)
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .method(method, BodyPublishers.ofString("name=x")));
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.isProblem()).isTrue();
    }

    @Test
    void a_compressed_body_answers_415() {
        for (String path : List.of("/api/leases", "/v1/leases")) {
            Answer answer =
                    client.send(
                            client.request("member", path)
                                    .header("Content-Type", "application/json")
                                    .header("Content-Encoding", "gzip")
                                    .POST(BodyPublishers.ofByteArray(new byte[] {31, -117, 8, 0})));
            assertThat(answer.status()).isEqualTo(415);
            assertThat(answer.header("Accept-Encoding")).isEqualTo("identity");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/problem+json, application/json",
                "application/vnd.example+json, application/json;q=0.5",
                "application/*",
                "*/*",
            })
    void a_successful_response_has_the_declared_content_type(String accept) {
        Answer answer =
                client.send(client.request("member", "/api/leases").header("Accept", accept));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    }

    @Test
    void an_accept_header_with_only_problem_json_answers_406() {
        Answer answer =
                client.send(
                        client.request("member", "/api/leases")
                                .header("Accept", "application/problem+json"));
        assertThat(answer.status()).isEqualTo(406);
        assertThat(answer.isProblem()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"UTF-8, Größe é ✓", "ISO-8859-1, Größe é"})
    void a_reason_keeps_non_ascii_characters(String charset, String reason) throws IOException {
        String lease =
                client.send(
                                "member",
                                "POST",
                                "/v1/leases",
                                """
                                {"name": "x", "start_date": "2026-11-22 08:00",
                                 "end_date": "2026-11-22 10:00", "reservations": [
                                  {"resource_type": "physical:host", "min": 1, "max": 2,
                                   "hypervisor_properties": "", "resource_properties": ""}]}
                                """)
                        .json()
                        .at("/lease/id")
                        .asString();
        String request =
                "DELETE /api/leases/%s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\n"
                                .formatted(lease, api.authorization("member"))
                        + "Leasehold-Reason: %s\r\nUser-Agent: %s\r\n".formatted(reason, reason)
                        + "Connection: close\r\n\r\n";
        assertThat(speak(request, Charset.forName(charset))).startsWith("HTTP/1.1 204");
        assertThat(engine.lastContext().reason()).isEqualTo(reason);
        assertThat(engine.lastContext().origin().agent()).isEqualTo(reason);
    }

    private String speak(String request, Charset charset) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(charset));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
