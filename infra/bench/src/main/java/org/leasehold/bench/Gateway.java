package org.leasehold.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** The product over HTTP, as its administrator. */
final class Gateway {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI root;
    private final String authorization;

    Gateway(URI root, String user, String password) {
        this.root = root;
        byte[] login = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(login);
    }

    Answer post(String path, String json) throws IOException, InterruptedException {
        return send(request(path).POST(HttpRequest.BodyPublishers.ofString(json)).build());
    }

    Answer patch(String path, String json) throws IOException, InterruptedException {
        return send(
                request(path).method("PATCH", HttpRequest.BodyPublishers.ofString(json)).build());
    }

    Answer get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(root.resolve(path))
                .timeout(PATIENCE)
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json");
    }

    /** The time ends when the whole body is here. */
    private Answer send(HttpRequest request) throws IOException, InterruptedException {
        long began = System.nanoTime();
        HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), response.body(), System.nanoTime() - began);
    }

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Answer(int status, byte[] body, long nanos) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        Answer expect(int expected) {
            if (status != expected) {
                throw new IllegalStateException(
                        "%d instead of %d: %s".formatted(status, expected, text()));
            }
            return this;
        }
    }
}
