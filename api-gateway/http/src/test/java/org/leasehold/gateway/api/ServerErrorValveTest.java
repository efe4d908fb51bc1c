package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Requests that the server rejects before any of our code sees them. */
@ApiTest
class ServerErrorValveTest {

    private static final String REQUEST_ID =
            "(?s).*x-openstack-request-id: req-[0-9a-f-]{36}\r\n.*";

    @LocalServerPort int port;

    private String speak(String line, String headers) throws IOException {
        String request = line + "\r\nHost: x\r\n" + headers + "Connection: close\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode bodyOf(String answer) {
        return JsonMapper.shared().readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4));
    }

    private static void assertProblem(String answer, int status) {
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status)
                .containsIgnoringCase("content-type: application/problem+json")
                .matches(REQUEST_ID);
        JsonNode problem = bodyOf(answer);
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("type").asString()).startsWith("/problems/");
        assertThat(answer).contains(problem.path("request_id").asString("none"));
    }

    private static void assertBlazars(String answer, int status) {
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status)
                .containsIgnoringCase("content-type: application/json")
                .matches(REQUEST_ID);
        JsonNode error = bodyOf(answer);
        assertThat(error.path("error").asInt()).isEqualTo(status);
        assertThat(error.path("error_message").asString("")).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%2Fb", "a%00b", "a%zzb", "a%5Cb", "%2e%2e/%2e%2e/%2e%2e"})
    void an_invalid_path_answers_400_in_the_format_of_the_api(String name) throws IOException {
        assertProblem(speak("GET /api/leases/" + name + " HTTP/1.1", ""), 400);
        assertBlazars(speak("GET /v1/leases/" + name + " HTTP/1.1", ""), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "trace"})
    void the_trace_method_gets_an_error_without_an_echo_of_the_request(String method)
            throws IOException {
        String secret = "Authorization: Basic c2VjcmV0OnNlY3JldA==\r\n";
        String problem = speak(method + " /api/leases HTTP/1.1", secret);
        String blazars = speak(method + " /v1/leases HTTP/1.1", secret);
        if (method.equals("TRACE")) {
            assertProblem(problem, 405);
            assertBlazars(blazars, 405);
        }
        assertThat(problem).startsWith("HTTP/1.1 4").doesNotContain("c2VjcmV0");
        assertThat(blazars).startsWith("HTTP/1.1 4").doesNotContain("c2VjcmV0");
    }

    @Test
    void too_long_headers_answer_400_in_the_format_of_the_api() throws IOException {
        String header = "X-Long: " + "x".repeat(100_000) + "\r\n";
        assertProblem(speak("GET /api/leases HTTP/1.1", header), 400);
        assertBlazars(speak("GET /v1/leases HTTP/1.1", header), 400);
    }

    /** The server drops the beginning of an address that it does not read to its end. */
    @ParameterizedTest
    @CsvSource({"/api/leases?name=, 100000", "/v1/leases?name=, 100000", "/v1/leases/a|b, 0"})
    void an_unreadable_address_answers_400_in_the_formats_of_both_apis(String path, int more)
            throws IOException {
        String answer = speak("GET " + path + "x".repeat(more) + " HTTP/1.1", "");
        assertProblem(answer, 400);
        assertThat(bodyOf(answer).path("error").asInt()).isEqualTo(400);
        assertThat(bodyOf(answer).path("error_message").asString(""))
                .isEqualTo(bodyOf(answer).path("detail").asString("none"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /api/leases HTTP/7.1", "GET", "G@T /api/leases HTTP/1.1"})
    void a_malformed_request_gets_a_json_error(String line) throws IOException {
        String answer = speak(line, "");
        assertThat(answer).startsWith("HTTP/1.1 ").doesNotContainIgnoringCase("<html");
        assertThat(bodyOf(answer).isObject()).isTrue();
    }
}
