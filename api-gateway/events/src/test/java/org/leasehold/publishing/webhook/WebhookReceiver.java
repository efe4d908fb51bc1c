package org.leasehold.publishing.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A receiver of messages, over a real socket. */
final class WebhookReceiver implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;

    /** All received messages, whatever the response. */
    final List<Message> messages = new CopyOnWriteArrayList<>();

    /** The function that returns the response. */
    volatile Function<Message, Answer> answer = _ -> new Answer(204);

    WebhookReceiver() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::take);
        server.start();
    }

    /** A received message. */
    record Message(String method, String path, Map<String, List<String>> headers, String body) {

        String header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().getFirst())
                    .findFirst()
                    .orElse("");
        }

        JsonNode json() {
            return JSON.readTree(body);
        }

        long position() {
            return json().path("position").asLong();
        }

        /** Returns whether the message has the properties of a resource, as operators see it. */
        boolean hasProperties() {
            return json().path("data").has("properties");
        }

        String stream() {
            return json().path("subject").asString();
        }
    }

    /** A response. */
    record Answer(int status, Map<String, String> headers, String body) {

        Answer(int status) {
            this(status, Map.of(), "");
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            Message message =
                    new Message(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().toString(),
                            Map.copyOf(exchange.getRequestHeaders()),
                            new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            messages.add(message);
            Answer answered = answer.apply(message);
            answered.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] body = answered.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(answered.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/hook";
    }

    List<Long> positions() {
        return messages.stream().map(Message::position).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
