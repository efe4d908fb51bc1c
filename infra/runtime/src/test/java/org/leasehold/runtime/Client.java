package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;

/** An HTTP client of the product. */
final class Client {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String root;
    private final String authorization;

    Client(String root, String user, String password) {
        this.root = root;
        this.authorization =
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Creates a client without a login. */
    Client(String root) {
        this.root = root;
        this.authorization = "";
    }

    String authorization() {
        return authorization;
    }

    /** Waits for the readiness probe, as a load balancer does before it sends requests. */
    void awaitReady() {
        AtomicReference<String> last = new AtomicReference<>("");
        Await.until(
                () -> "the engine is ready: " + last.get(),
                () -> {
                    Answer probe = get("/actuator/health/readiness");
                    last.set(probe.text());
                    return probe.status() == 200;
                });
    }

    Answer get(String path) {
        return send("GET", path, null);
    }

    /** Requests a response that includes the event at a position. */
    Answer getAt(String path, long position) {
        return send("GET", path, null, "Leasehold-Position", Long.toString(position));
    }

    Answer delete(String path) {
        return send("DELETE", path, null);
    }

    Answer deleteBecause(String path, String reason) {
        return send("DELETE", path, null, "Leasehold-Reason", reason);
    }

    Answer post(String path, Object body) {
        return send("POST", path, body);
    }

    /** Sends a repeatable request. */
    Answer postOnce(String path, String key, Object body) {
        return send("POST", path, body, "Idempotency-Key", key);
    }

    /** Sends a repeatable request. */
    Answer patchOnce(String path, String key, Object body) {
        return send("PATCH", path, body, "Idempotency-Key", key);
    }

    /** Sends a repeatable request. */
    Answer deleteOnce(String path, String key) {
        return send("DELETE", path, null, "Idempotency-Key", key);
    }

    Answer put(String path, Object body) {
        return send("PUT", path, body);
    }

    Answer patch(String path, Object body) {
        return send("PATCH", path, body);
    }

    /** Changes a resource only in the version that the caller has seen. */
    Answer patchIfMatch(String path, String entityTag, Object body) {
        return send("PATCH", path, body, "If-Match", entityTag);
    }

    private Answer send(
            String method, String path, @Nullable Object body, String... namesAndValues) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(root + path))
                        .timeout(Duration.ofSeconds(60))
                        .header("Accept", "application/json");
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        if (namesAndValues.length > 0) {
            request.headers(namesAndValues);
        }
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString(JSON.writeValueAsString(body)));
        }
        try {
            return Answer.of(HTTP.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path + " is not answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** A response of the product. */
    record Answer(int status, HttpHeaders headers, String text, JsonNode body) {

        private static Answer of(HttpResponse<String> response) {
            String text = response.body();
            String type = response.headers().firstValue("Content-Type").orElse("");
            return new Answer(
                    response.statusCode(),
                    response.headers(),
                    text,
                    type.contains("json") && !text.isEmpty()
                            ? JSON.readTree(text)
                            : MissingNode.getInstance());
        }

        /** Returns the position of the last event that the response includes. */
        long position() {
            return Long.parseLong(headers.firstValue("Leasehold-Position").orElseThrow());
        }

        /** Returns the body of an expected status; otherwise fails with the response. */
        JsonNode expect(int expected) {
            if (status != expected) {
                throw new AssertionError("%s instead of %s: %s".formatted(status, expected, text));
            }
            return body;
        }
    }
}
