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
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A small fake cloud over real HTTP. Its Keystone knows the engine's user, issues tokens and
 * validates others. The test defines the responses of other services.
 */
public final class FakeOpenStack implements AutoCloseable {

    public static final String USER = "leasehold";
    public static final String PASSWORD = "not for the log";

    private static final String ENGINE = "u-engine";
    private static final String TRUSTS = "/OS-TRUST/trusts";
    private static final String AS = "-as-";
    private static final String OWN = "p-service";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> TYPES =
            List.of("compute", "placement", "image", "network", "volumev3", "orchestration");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Clock clock;

    private final AtomicInteger logins = new AtomicInteger();
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<String, ?>> tokens = new ConcurrentHashMap<>();
    private final Map<String, Trust> trusts = new ConcurrentSkipListMap<>();
    private final Map<String, Service> services = new ConcurrentHashMap<>();
    private final Map<String, Said> documents = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile List<String> types = TYPES;
    private volatile Duration lifetime = Duration.ofHours(1);
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

    private record Trust(String user, String project) {

        Map<String, String> shown(String id) {
            return Map.of(
                    "id", id,
                    "trustor_user_id", user,
                    "trustee_user_id", ENGINE,
                    "project_id", project);
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
        this.clock = clock;
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
        types = TYPES.stream().filter(type -> !type.equals(service)).toList();
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
        if (token == null) {
            tokens.remove(id);
        } else {
            tokens.put(id, token);
        }
    }

    /** Adds a user's trust in the engine for a project. */
    public void trust(String id, String project) {
        trusts.put(id, new Trust("u-of-" + project, project));
    }

    public List<String> trusts() {
        return List.copyOf(trusts.keySet());
    }

    public void forgetTrusts() {
        trusts.clear();
    }

    /** Returns the project of a request's token. */
    public String project(Asked request) {
        String token = request.headers().getOrDefault("x-auth-token", "");
        Map<String, ?> users = tokens.get(token);
        if (users != null) {
            return String.valueOf(users.get("project"));
        }
        return token.contains(AS) ? token.substring(token.indexOf(AS) + AS.length()) : OWN;
    }

    /** Sets the lifetime of tokens issued from now on. */
    public void lifetime(Duration ofTokens) {
        lifetime = ofTokens;
    }

    /** Invalidates all tokens of the engine. */
    public void forgetLogins() {
        accepted.clear();
    }

    public int logins() {
        return logins.get();
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
        boolean isUser = tokens.containsKey(request.headers().getOrDefault("x-auth-token", ""));
        if (!isEngine(request) && !isUser) {
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
            return login(request, exchange);
        }
        asked.add(request);
        if (forbidden.test(request)) {
            return error(403, "You are not authorized to perform the requested action.");
        }
        if (request.path().startsWith(TRUSTS)) {
            return trusts(request);
        }
        if (!isEngine(request)) {
            return unauthorized();
        }
        if (request.path().equals("/auth/tokens")
                || request.path().equals("/auth/tokens?nocatalog")) {
            Map<String, ?> token =
                    tokens.get(request.headers().getOrDefault("x-subject-token", ""));
            return token == null
                    ? error(404, "Could not find token.")
                    : Said.json(200, Map.of("token", token));
        }
        Service service = services.get("identity");
        return service == null ? error(404, "Not Found") : service.answer(request);
    }

    private Said trusts(Asked request) {
        if (request.method().equals("GET")) {
            return isEngine(request) && ENGINE.equals(request.query().get("trustee_user_id"))
                    ? Said.json(
                            200,
                            Map.of(
                                    "trusts",
                                    trusts.entrySet().stream()
                                            .map(each -> each.getValue().shown(each.getKey()))
                                            .toList()))
                    : error(403, "You are not authorized to list the trusts of others.");
        }
        if (!request.method().equals("POST")) {
            boolean known = trusts.remove(request.path().substring(TRUSTS.length() + 1)) != null;
            return isEngine(request) && known
                    ? Said.nothing(204)
                    : error(404, "Could not find trust.");
        }
        JsonNode trust = request.body().path("trust");
        Map<String, ?> user = tokens.get(request.headers().getOrDefault("x-auth-token", ""));
        if (user == null || !user.get("id").equals(trust.path("trustor_user_id").asString(""))) {
            return error(403, "Only the trustor can create a trust.");
        }
        String id = "trust-" + (trusts.size() + 1);
        trusts.put(
                id,
                new Trust(
                        trust.path("trustor_user_id").asString(""),
                        trust.path("project_id").asString("")));
        return Said.json(201, Map.of("trust", Map.of("id", id)));
    }

    private Said login(Asked request, HttpExchange exchange) {
        logins.incrementAndGet();
        JsonNode trust = request.body().path("auth").path("scope").path("OS-TRUST:trust");
        if (trust.isObject() && !trusts.containsKey(trust.path("id").asString(""))) {
            return unauthorized();
        }
        JsonNode user = request.body().path("auth").path("identity").path("password").path("user");
        if (!USER.equals(user.path("name").asString(""))
                || !PASSWORD.equals(user.path("password").asString(""))) {
            return unauthorized();
        }
        String project =
                trust.isObject() ? trusts.get(trust.path("id").asString("")).project() : OWN;
        String id = "engine-%s%s".formatted(logins.get(), trust.isObject() ? AS + project : "");
        accepted.add(id);
        exchange.getResponseHeaders().set("X-Subject-Token", id);
        Instant now = clock.instant();
        return Said.json(
                201,
                Map.of(
                        "token",
                        Map.of(
                                "methods", List.of("password"),
                                "issued_at", now.toString(),
                                "expires_at", now.plus(lifetime).toString(),
                                "user", Map.of("id", ENGINE, "name", USER),
                                "project", Map.of("id", project, "name", "service"),
                                "catalog",
                                        types.stream()
                                                .map(type -> entry(type, project))
                                                .toList())));
    }

    /** Returns a catalog entry. Heat has the project in its address. */
    private Map<String, ?> entry(String type, String project) {
        String path = type.equals("orchestration") ? "/" + type + "/v1/" + project : "/" + type;
        return Map.of(
                "type",
                type,
                "name",
                type,
                "id",
                type,
                "endpoints",
                List.of(
                        endpoint(type, "internal", "one", "http://127.0.0.1:9/"),
                        endpoint(type, "public", "one", url(path)),
                        endpoint(type, "public", "two", url("/" + type + "-two/"))));
    }

    private static Map<String, ?> endpoint(String type, String facing, String region, String url) {
        return Map.of(
                "id", type + facing + region, "interface", facing, "region", region, "url", url);
    }

    private boolean isEngine(Asked request) {
        return accepted.contains(request.headers().getOrDefault("x-auth-token", ""));
    }

    private static Said unauthorized() {
        return error(401, "The request you have made requires authentication.");
    }

    private static Said error(int code, String message) {
        return Said.json(code, Map.of("error", Map.of("code", code, "message", message)));
    }

    private static String lower(String name) {
        return name.toLowerCase(java.util.Locale.ROOT);
    }
}
