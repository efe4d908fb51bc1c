package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.CurrentRequest;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** JSON over HTTP with limits of time, size and concurrency. */
final class JsonHttpClient implements AutoCloseable {

    static final JsonMapper JSON = JsonMapper.builder().build();

    /** The header of our request id. Services log it beside the id that they assign themselves. */
    private static final String REQUEST_ID = "X-OpenStack-Request-ID";

    private static final long MAX_RESPONSE_BYTES = 64L << 20;

    private final HttpClient client;
    private final Duration timeout;
    private final CallLimiter callLimiter;

    JsonHttpClient(CloudSettings settings) {
        this.client =
                HttpClient.newBuilder()
                        .version(Version.HTTP_1_1)
                        // A redirect must not carry a token to another address.
                        .followRedirects(Redirect.NEVER)
                        .connectTimeout(settings.connectTimeout())
                        .build();
        this.timeout = settings.callTimeout();
        this.callLimiter = new CallLimiter(settings.maxCalls(), settings.callTimeout());
    }

    /** A response with its headers. */
    record Reply(int status, Map<String, String> headers, JsonNode body) {}

    /**
     * Sends a request and waits for the whole response.
     *
     * @throws CloudFailure if there is none, or an invalid one
     */
    Reply send(CloudRequest request, URI url, Map<String, String> more) {
        HttpRequest.Builder http = HttpRequest.newBuilder(url).header("Accept", "application/json");
        request.headers().forEach(http::setHeader);
        more.forEach(http::setHeader);
        CurrentRequest.id().ifPresent(id -> http.setHeader(REQUEST_ID, id));
        Map<String, ?> body = request.body();
        if (body == null) {
            http.method(request.method(), BodyPublishers.noBody());
        } else {
            http.setHeader("Content-Type", "application/json")
                    .method(
                            request.method(),
                            BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
        }
        return callLimiter.call(request.service(), () -> exchange(request, http.build()));
    }

    private Reply exchange(CloudRequest request, HttpRequest http) {
        CompletableFuture<HttpResponse<byte[]>> sent =
                client.sendAsync(
                        http,
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_RESPONSE_BYTES));
        try {
            // Not the client's own timeout: that one ends with the headers of the response.
            return reply(request, sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            throw CloudFailure.noAnswer(
                    request.service() + " did not answer within " + timeout,
                    "The request was " + request);
        } catch (ExecutionException failed) {
            throw CloudFailure.noAnswer(
                    request.service() + " did not answer",
                    "The request was " + request + ": " + failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CloudFailure.noAnswer(
                    "The call to " + request.service() + " was given up",
                    "The request was " + request);
        } finally {
            sent.cancel(true);
        }
    }

    private static Reply reply(CloudRequest request, HttpResponse<byte[]> response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
        JsonNode body = read(response.body());
        if (body == null) {
            if (response.statusCode() < 400) {
                // A proxy's page, or a response that was cut off.
                throw CloudFailure.noAnswer(
                        "%s answered %s with something that is not JSON"
                                .formatted(request.service(), response.statusCode()),
                        "The request was " + request);
            }
            body = MissingNode.getInstance();
        }
        return new Reply(response.statusCode(), headers, body);
    }

    private static @Nullable JsonNode read(byte[] body) {
        if (body.length == 0) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(body);
        } catch (JacksonException noJson) {
            return null;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
