package org.leasehold.resource.openstack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * A small fake cloud over real HTTP. Its Keystone knows the engine's user, issues tokens and
 * validates others. The test defines the responses of other services.
 */
public final class FakeOpenStack implements AutoCloseable {

    public static final String USER = "leasehold";
    public static final String PASSWORD = "not for the log";

    static final String TRUSTS = "/OS-TRUST/trusts";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);

    private final FakeKeystone users;
    private final Map<String, Service> services = new ConcurrentHashMap<>();
    private final Map<String, Said> documents = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile @Nullable Service keystone;
    private volatile Predicate<Asked> forbidden = request -> false;
    private volatile Predicate<Asked> lost = request -> false;

    /** A service's handler of requests. */
    @FunctionalInterface
    public interface Service {
        Said answer(Asked request) throws IOException;
    }

    /** A request as it arrived; {@code path} is below the service's address, with the query. */
    public record Asked(
            String service,
            String method,
            String path,
            Map<String, String> headers,
            JsonNode body) {

        /** Returns the segments of the path; the first is empty. */
        public List<String> parts() {
            return List.of(URI.create(path).getPath().split("/", -1));
        }

        /** Returns the parameters of the query, each name once. */
        public Map<String, String> query() {
            Map<String, String> query = new TreeMap<>();
            String text = URI.create(path).getRawQuery();
            for (String each : text == null ? new String[0] : text.split("&", -1)) {
                String[] pair = each.split("=", 2);
                query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
            }
            return query;
        }
    }

    /** A response. */
    public record Said(int status, String type, String body, boolean ends) {

        public Said(int status, String type, String body) {
            this(status, type, body, true);
        }

        /** Returns a response whose rest never comes. */
        public static Said theBeginningOf(Object body) {
            String whole = JSON.writeValueAsString(body);
            return new Said(200, "application/json", whole, false);
        }

        public static Said json(int status, Object body) {
            return new Said(status, "application/json", JSON.writeValueAsString(body));
        }

        public static Said nothing(int status) {
            return new Said(status, "application/json", "");
        }
    }

    public FakeOpenStack(Clock clock) {
        users = new FakeKeystone(clock, this::url);
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException noPort) {
            throw new IllegalStateException(noPort);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** Returns an operator's settings for this cloud. */
    public Map<String, String> settings() {
        return Map.of(
                "auth-url", url("/v3"), "user", USER, "password", PASSWORD, "project", "service");
    }

    /** Removes a service from the catalogs of logins from now on. */
    public void lacks(String service) {
        users.lacks(service);
    }

    /** Sets a service's responses from now on to requests with a valid token. */
    public void answer(String service, Service with) {
        services.put(service, with);
    }

    /** Sets the response for the version document of a service. */
    public void document(String service, Said said) {
        documents.put(service, said);
    }

    /** Replaces all responses of Keystone; null restores them. */
    public void keystone(@Nullable Service instead) {
        keystone = instead;
    }

    /** Denies the engine's user the matching requests from now on. */
    public void forbid(Predicate<Asked> which) {
        forbidden = which;
    }

    /** Makes matching requests take effect and return 502, from now on. */
    public void losesAnswers(Predicate<Asked> which) {
        lost = which;
    }

    /** Adds a user's token; {@code null} to revoke it. */
    public void token(String id, @Nullable Map<String, ?> token) {
        users.token(id, token);
    }

    /** Adds a user's trust in the engine for a project. */
    public void trust(String id, String project) {
        users.trust(id, project);
    }

    public List<String> trusts() {
        return users.trusts();
    }

    public void forgetTrusts() {
        users.forgetTrusts();
    }

    /** Returns the project of a request's token. */
    public String project(Asked request) {
        return users.project(request);
    }

    /** Sets the lifetime of tokens issued from now on. */
    public void lifetime(Duration ofTokens) {
        users.lifetime(ofTokens);
    }

    /** Invalidates all tokens of the engine. */
    public void forgetLogins() {
        users.forgetLogins();
    }

    public int logins() {
        return users.logins();
    }

    /** Returns the requests to a service; those to Keystone only if about others' tokens. */
    public List<Asked> asked(String service) {
        return asked.stream().filter(request -> request.service().equals(service)).toList();
    }

    /** Does not respond until the cloud is closed. */
    public Said hang() throws IOException {
        try {
            closing.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("closed");
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            int end = path.indexOf('/', 1);
            String first = path.substring(1, end < 0 ? path.length() : end);
            Map<String, String> headers = new HashMap<>();
            exchange.getRequestHeaders().forEach((n, v) -> headers.put(lower(n), v.getFirst()));
            Asked request =
                    new Asked(
                            first.equals("v3") ? "identity" : first,
                            exchange.getRequestMethod(),
                            end < 0 ? "" : path.substring(end),
                            headers,
                            JSON.readTree(exchange.getRequestBody().readAllBytes()));
            Said said = first.equals("v3") ? identity(request, exchange) : service(request);
            byte[] body = said.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", said.type());
            exchange.getResponseHeaders().set("X-Openstack-Request-Id", "req-of-the-test");
            exchange.sendResponseHeaders(said.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body, 0, said.ends() ? body.length : 1);
            if (!said.ends()) {
                exchange.getResponseBody().flush();
                hang();
            }
        }
    }

    private Said service(Asked request) throws IOException {
        asked.add(request);
        boolean isUser = users.token(request.headers().getOrDefault("x-auth-token", "")) != null;
        if (!users.isEngine(request) && !isUser) {
            return unauthorized();
        }
        if (forbidden.test(request)) {
            return error(403, "Policy does not allow this to be performed.");
        }
        Said document = documents.get(request.service());
        if (document != null && request.path().equals("/")) {
            return document;
        }
        Service service = services.get(request.service());
        Said said = service == null ? Said.nothing(404) : service.answer(request);
        return lost.test(request) ? Said.nothing(502) : said;
    }

    private Said identity(Asked request, HttpExchange exchange) throws IOException {
        Service instead = keystone;
        if (instead != null) {
            return instead.answer(request);
        }
        if (request.method().equals("POST") && request.path().equals("/auth/tokens")) {
            return users.login(request, exchange);
        }
        asked.add(request);
        if (forbidden.test(request)) {
            return error(403, "You are not authorized to perform the requested action.");
        }
        if (request.path().startsWith(TRUSTS)) {
            return users.answerTrusts(request);
        }
        if (!users.isEngine(request)) {
            return unauthorized();
        }
        if (request.path().equals("/auth/tokens")
                || request.path().equals("/auth/tokens?nocatalog")) {
            Map<String, ?> token =
                    users.token(request.headers().getOrDefault("x-subject-token", ""));
            return token == null
                    ? error(404, "Could not find token.")
                    : Said.json(200, Map.of("token", token));
        }
        Service service = services.get("identity");
        return service == null ? error(404, "Not Found") : service.answer(request);
    }

    static Said unauthorized() {
        return error(401, "The request you have made requires authentication.");
    }

    static Said error(int code, String message) {
        return Said.json(code, Map.of("error", Map.of("code", code, "message", message)));
    }

    private static String lower(String name) {
        return name.toLowerCase(java.util.Locale.ROOT);
    }
}
