package org.leasehold.resource.openstack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.leasehold.resource.ResourcePluginContract.CloudFaults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands before a cloud and spoils one of the requests that change it. Whoever logs in through it
 * gets a catalog whose services are behind it as well: the path begins with the address that is
 * meant.
 */
public final class CloudProxy implements CloudFaults, AutoCloseable {

    private static final List<String> PASSED_ON =
            List.of("X-Auth-Token", "Content-Type", "Accept", "OpenStack-API-Version");

    /** What becomes of a request. */
    public enum Fault {
        /** It never arrives, and the answer is a 503. */
        UNAVAILABLE,
        /** It takes effect, and the connection breaks. */
        ANSWER_LOST,
        /** It takes effect, and no answer comes. */
        ANSWER_NEVER,
        /** It never arrives, and the answer is a 500. */
        DEFECT,
        /** It never arrives, and the answer is a 403. */
        FORBIDDEN,
        /** It never arrives, and the answer is a 409. */
        CONFLICT
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountDownLatch closed = new CountDownLatch(1);

    private Fault fault;
    private int spared;

    public CloudProxy() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** The address behind this proxy. */
    public URI before(URI address) {
        return URI.create(
                "http://127.0.0.1:%s/%s%s"
                        .formatted(
                                server.getAddress().getPort(),
                                address.getAuthority(),
                                address.getPath()));
    }

    /** Spoils one changing request, after so many that are not spoilt. */
    public synchronized void spoil(Fault kind, int after) {
        fault = kind;
        spared = after;
    }

    @Override
    public void failBeforeEffect(int stepsThatSucceed) {
        spoil(Fault.UNAVAILABLE, stepsThatSucceed);
    }

    @Override
    public void failAfterEffect(int stepsThatSucceed) {
        spoil(Fault.ANSWER_LOST, stepsThatSucceed);
    }

    @Override
    public synchronized void heal() {
        fault = null;
    }

    private synchronized Fault next(HttpExchange exchange) {
        boolean changes =
                !exchange.getRequestMethod().equals("GET")
                        && !exchange.getRequestURI().getPath().endsWith("/auth/tokens");
        if (!changes || fault == null || spared-- > 0) {
            return null;
        }
        Fault now = fault;
        fault = null;
        return now;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            switch (next(exchange)) {
                case null -> pass(exchange, body);
                case UNAVAILABLE -> refuse(exchange, 503);
                case DEFECT -> refuse(exchange, 500);
                case FORBIDDEN -> refuse(exchange, 403);
                case CONFLICT -> refuse(exchange, 409);
                case ANSWER_LOST -> forward(exchange, body);
                case ANSWER_NEVER -> {
                    forward(exchange, body);
                    closed.await();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void refuse(HttpExchange exchange, int status) throws IOException {
        byte[] text =
                "{\"error\": {\"message\": \"by the proxy\"}}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, text.length);
        exchange.getResponseBody().write(text);
    }

    private void pass(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = forward(exchange, body);
        byte[] text = answer.body();
        for (String name : List.of("Content-Type", "X-Subject-Token")) {
            answer.headers()
                    .firstValue(name)
                    .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
        }
        if (exchange.getRequestURI().getPath().endsWith("/auth/tokens")) {
            text = behind(text);
        }
        exchange.sendResponseHeaders(answer.statusCode(), text.length == 0 ? -1 : text.length);
        exchange.getResponseBody().write(text);
    }

    private byte[] behind(byte[] token) {
        return new String(token, StandardCharsets.UTF_8)
                .replaceAll(
                        "\"http://([^/\"]+)",
                        "\"http://127.0.0.1:" + server.getAddress().getPort() + "/$1")
                .getBytes(StandardCharsets.UTF_8);
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create("http:/" + exchange.getRequestURI().toASCIIString()))
                        .method(
                                exchange.getRequestMethod(),
                                body.length == 0
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(body));
        for (String name : PASSED_ON) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
