package org.leasehold.resource.openstack;

import com.sun.net.httpserver.HttpExchange;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A fake of Keystone's users: the tokens of users, their trusts, and the logins of the engine. */
final class FakeKeystone {

    private static final String ENGINE = "u-engine";
    private static final String AS = "-as-";
    private static final String OWN = "p-service";
    private static final List<String> TYPES =
            List.of("compute", "placement", "image", "network", "volumev3", "orchestration");

    private final Clock clock;
    private final UnaryOperator<String> url;
    private final AtomicInteger logins = new AtomicInteger();
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<String, ?>> tokens = new ConcurrentHashMap<>();
    private final Map<String, Trust> trusts = new ConcurrentSkipListMap<>();
    private volatile List<String> types = TYPES;
    private volatile Duration lifetime = Duration.ofHours(1);

    /**
     * Creates a Keystone without users.
     *
     * @param url the address of a path of this cloud, for the catalog
     */
    FakeKeystone(Clock clock, UnaryOperator<String> url) {
        this.clock = clock;
        this.url = url;
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

    /** Removes a service from the catalogs of logins from now on. */
    void lacks(String service) {
        types = TYPES.stream().filter(type -> !type.equals(service)).toList();
    }

    /** Adds a user's token; {@code null} to revoke it. */
    void token(String id, @Nullable Map<String, ?> token) {
        if (token == null) {
            tokens.remove(id);
        } else {
            tokens.put(id, token);
        }
    }

    /** Returns a user's token; null if there is none. */
    @Nullable Map<String, ?> token(String id) {
        return tokens.get(id);
    }

    /** Adds a user's trust in the engine for a project. */
    void trust(String id, String project) {
        trusts.put(id, new Trust("u-of-" + project, project));
    }

    List<String> trusts() {
        return List.copyOf(trusts.keySet());
    }

    void forgetTrusts() {
        trusts.clear();
    }

    /** Returns the project of a request's token. */
    String project(Asked request) {
        String token = request.headers().getOrDefault("x-auth-token", "");
        Map<String, ?> users = tokens.get(token);
        if (users != null) {
            return String.valueOf(users.get("project"));
        }
        return token.contains(AS) ? token.substring(token.indexOf(AS) + AS.length()) : OWN;
    }

    /** Sets the lifetime of tokens issued from now on. */
    void lifetime(Duration ofTokens) {
        lifetime = ofTokens;
    }

    /** Invalidates all tokens of the engine. */
    void forgetLogins() {
        accepted.clear();
    }

    int logins() {
        return logins.get();
    }

    Said answerTrusts(Asked request) {
        if (request.method().equals("GET")) {
            return isEngine(request) && ENGINE.equals(request.query().get("trustee_user_id"))
                    ? Said.json(
                            200,
                            Map.of(
                                    "trusts",
                                    trusts.entrySet().stream()
                                            .map(each -> each.getValue().shown(each.getKey()))
                                            .toList()))
                    : FakeOpenStack.error(
                            403, "You are not authorized to list the trusts of others.");
        }
        if (!request.method().equals("POST")) {
            String id = request.path().substring(FakeOpenStack.TRUSTS.length() + 1);
            boolean known = trusts.remove(id) != null;
            return isEngine(request) && known
                    ? Said.nothing(204)
                    : FakeOpenStack.error(404, "Could not find trust.");
        }
        JsonNode trust = request.body().path("trust");
        Map<String, ?> user = tokens.get(request.headers().getOrDefault("x-auth-token", ""));
        if (user == null || !user.get("id").equals(trust.path("trustor_user_id").asString(""))) {
            return FakeOpenStack.error(403, "Only the trustor can create a trust.");
        }
        String id = "trust-" + (trusts.size() + 1);
        trusts.put(
                id,
                new Trust(
                        trust.path("trustor_user_id").asString(""),
                        trust.path("project_id").asString("")));
        return Said.json(201, Map.of("trust", Map.of("id", id)));
    }

    Said login(Asked request, HttpExchange exchange) {
        logins.incrementAndGet();
        JsonNode trust = request.body().path("auth").path("scope").path("OS-TRUST:trust");
        if (trust.isObject() && !trusts.containsKey(trust.path("id").asString(""))) {
            return FakeOpenStack.unauthorized();
        }
        JsonNode user = request.body().path("auth").path("identity").path("password").path("user");
        if (!FakeOpenStack.USER.equals(user.path("name").asString(""))
                || !FakeOpenStack.PASSWORD.equals(user.path("password").asString(""))) {
            return FakeOpenStack.unauthorized();
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
                                "user", Map.of("id", ENGINE, "name", FakeOpenStack.USER),
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
                        endpoint(type, "public", "one", url.apply(path)),
                        endpoint(type, "public", "two", url.apply("/" + type + "-two/"))));
    }

    private static Map<String, ?> endpoint(String type, String facing, String region, String url) {
        return Map.of(
                "id", type + facing + region, "interface", facing, "region", region, "url", url);
    }

    boolean isEngine(Asked request) {
        return accepted.contains(request.headers().getOrDefault("x-auth-token", ""));
    }
}
