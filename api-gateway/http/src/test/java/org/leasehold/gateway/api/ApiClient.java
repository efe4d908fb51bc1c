package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;

/** A client that sends requests to a product over a real socket. */
public final class ApiClient {

    public static final JsonMapper JSON = JsonMapper.shared();

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final ApiUnderTest api;

    public ApiClient(ApiUnderTest api) {
        this.api = api;
    }

    public record Answer(HttpResponse<String> response) {

        public int status() {
            return response.statusCode();
        }

        public JsonNode json() {
            return JSON.readTree(response.body());
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** Returns 0 if the response has no position: no response is at position 0. */
        public long position() {
            String position = header("Leasehold-Position");
            return position.isEmpty() ? 0 : Long.parseLong(position);
        }

        String requestId() {
            return response.headers().firstValue("X-OpenStack-Request-ID").orElseThrow();
        }

        public boolean isProblem() {
            return header("Content-Type").startsWith("application/problem+json")
                    && json().path("status").asInt() == status();
        }

        public boolean names(String field) {
            return json().path("errors")
                    .valueStream()
                    .anyMatch(error -> error.path("field").asString().equals(field));
        }

        /** Returns whether a problem names a part of a field: the one that is missing in it. */
        boolean namesWithin(String field) {
            return json().path("errors")
                    .valueStream()
                    .anyMatch(
                            error ->
                                    error.path("field").asString().startsWith(field + ".")
                                            && error.path("message")
                                                    .asString()
                                                    .startsWith("Missing parameter"));
        }

        @Override
        public String toString() {
            String body = response.body();
            return status() + " " + body.substring(0, Math.min(body.length(), 1000));
        }
    }

    public Answer get(String user, String path) {
        return send(request(user, path).GET());
    }

    public Answer send(String user, String method, String path, @Nullable String body) {
        return send(request(user, path), method, body);
    }

    public Answer send(HttpRequest.Builder request, String method, @Nullable String body) {
        return body == null
                ? send(request.method(method, BodyPublishers.noBody()))
                : send(
                        request.header("Content-Type", "application/json")
                                .method(method, BodyPublishers.ofString(body)));
    }

    /** Reads only the beginning of a response that may have no end. */
    public HttpResponse<?> begin(String user, String path, String accept) {
        HttpRequest request = request(user, path).header("Accept", accept).GET().build();
        HttpResponse<InputStream> answer = send(request, BodyHandlers.ofInputStream());
        try (InputStream _ = answer.body()) {
            return answer;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a request without a login if the user has no name. */
    public HttpRequest.Builder request(String user, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(api.address().resolve(path));
        return user.isEmpty() ? request : request.header("Authorization", api.authorization(user));
    }

    public Answer send(HttpRequest.Builder request) {
        return new Answer(send(request.build(), BodyHandlers.ofString()));
    }

    private static <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) {
        try {
            return sendOnOpenConnection(request, body);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /**
     * Sends a request, and once more if no byte of a response came: the server may close a
     * connection at the moment in which the client uses it again.
     */
    private static <T> HttpResponse<T> sendOnOpenConnection(
            HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        try {
            return HTTP.send(request, body);
        } catch (IOException closed) {
            if (!String.valueOf(closed.getMessage()).endsWith("received no bytes")) {
                throw closed;
            }
            return HTTP.send(request, body);
        }
    }
}
