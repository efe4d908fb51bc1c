package org.leasehold.resource.openstack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.leasehold.resource.InterruptedRetriesContract.StepFaults;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A proxy before a cloud that disturbs one of the requests that change it. A login through it
 * yields a catalog with services behind it, too: the path begins with the real address.
 */
public final class CloudFaultProxy implements StepFaults, AutoCloseable {

    private static final List<String> PASSED_ON =
            List.of("X-Auth-Token", "Content-Type", "Accept", "OpenStack-API-Version");

    /** The disturbance of a request. */
    public enum Fault {
        /** A request that never arrives; the response is a 503. */
        UNAVAILABLE,
        /** A request that takes effect; the connection breaks. */
        ANSWER_LOST,
        /** A request that takes effect; no response comes. */
        ANSWER_NEVER,
        /** A request that never arrives; the response is a 500. */
        DEFECT,
        /** A request that never arrives; the response is a 403. */
        FORBIDDEN,
        /** A request that never arrives; the response is a 409. */
        CONFLICT
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountDownLatch closed = new CountDownLatch(1);

    private final List<String> steps = new ArrayList<>();
    private final List<String> cutSteps = new ArrayList<>();
    private Fault fault;
    private int spared;
    private boolean newStep;
    private boolean cutOff;

    public CloudFaultProxy() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Returns the address behind this proxy. */
    public URI before(URI address) {
        return URI.create(
                "http://127.0.0.1:%s/%s%s"
                        .formatted(
                                server.getAddress().getPort(),
                                address.getAuthority(),
                                address.getPath()));
    }

    /** Disturbs one changing request, after some that succeed. */
    public synchronized void spoil(Fault kind, int after) {
        fault = kind;
        spared = after;
        newStep = false;
        cutOff = false;
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
    public synchronized void cutNewStep(boolean afterEffect) {
        fault = afterEffect ? Fault.ANSWER_LOST : Fault.UNAVAILABLE;
        newStep = true;
        cutOff = false;
    }

    @Override
    public synchronized List<String> steps() {
        return List.copyOf(steps);
    }

    @Override
    public synchronized List<String> cutSteps() {
        return List.copyOf(cutSteps);
    }

    @Override
    public synchronized void heal() {
        fault = null;
        cutOff = false;
        steps.clear();
        cutSteps.clear();
    }

    private synchronized Fault next(HttpExchange exchange, byte[] body) {
        boolean changes =
                !exchange.getRequestMethod().equals("GET")
                        && !exchange.getRequestURI().getPath().endsWith("/auth/tokens");
        if (!changes) {
            return null;
        }
        String step = step(exchange, body);
        steps.add(step);
        if (cutOff) {
            return Fault.UNAVAILABLE;
        }
        if (fault == null || (newStep ? cutSteps.contains(step) : spared-- > 0)) {
            return null;
        }
        cutSteps.add(step);
        cutOff = newStep;
        Fault now = fault;
        fault = null;
        return now;
    }

    /** Returns a request without the generation of a provider, which each change increases. */
    private static String step(HttpExchange exchange, byte[] body) {
        String content =
                new String(body, StandardCharsets.UTF_8)
                        .replaceAll("\"resource_provider_generation\":\\s*\\d+", "");
        return exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + content;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            switch (next(exchange, body)) {
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
