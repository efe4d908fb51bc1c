package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.OpenApiDocument.Operation;
import org.leasehold.resource.floatingip.FloatingIp;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Objects that exist in a product, and valid requests about them. */
public final class ApiFixture {

    /** A property that a test may hide; a sample of properties has another name. */
    private static final String CAPABILITY = "model";

    private static final int ENOUGH_HOSTS = 3;
    private static final Duration WINDOW = Duration.ofHours(4);
    private static final AtomicLong FIXTURES = new AtomicLong();

    /** Problems of valid requests at the wrong time: nothing is stuck, for example. */
    private static final Set<String> NOT_NOW =
            Set.of("/problems/wrong-status", "/problems/wrong-state");

    private static final Set<String> ENROLMENTS = Set.of("/api/resources", "/v1/os-hosts");

    final ApiClient client;
    final OpenApiDocument document;

    private final ApiUnderTest api;
    private final SchemaSamples samples;
    private final Instant start;
    private final JsonNode lease;
    private final long resource;
    private final String floatingIp;
    private String feedsOf = "admin";
    private @Nullable String feed;
    private @Nullable String webhook;

    private ApiFixture(ApiUnderTest api, OpenApiDocument document, String owner) {
        this.api = api;
        this.client = new ApiClient(api);
        this.document = document;
        this.start = api.now().plus(Duration.ofDays(1)).plus(WINDOW.multipliedBy(next()));
        this.samples = new SchemaSamples(document, start);
        this.resource = resource();
        this.floatingIp = floatingIp();
        this.lease = lease(owner);
        samples.know("name", "sample");
        samples.know("id", lease.at("/reservations/0/id").asString());
        // A time at which the lease existed already.
        samples.know("as_of", api.now().toString());
    }

    /** Numbers windows that do not overlap, so that no fixture takes hosts from another one. */
    private static long next() {
        return FIXTURES.getAndIncrement();
    }

    /** Returns a fixture with a lease of the owner. */
    static ApiFixture of(ApiUnderTest api, String owner) {
        return of(api, OpenApiDocument.of(api), owner);
    }

    /** Returns one of many fixtures for the same product. */
    static ApiFixture of(ApiUnderTest api, OpenApiDocument document, String owner) {
        return new ApiFixture(api, document, owner);
    }

    private JsonNode lease(String owner) {
        String wish =
                """
                {"name": "sample", "start": "%s", "end": "%s", "before_end": "%s",
                 "reservations": [{"kind": "physical:host", "parameters":
                   {"min": 1, "max": 1, "hypervisor_properties": "", "resource_properties": ""}}]}
                """
                        .formatted(
                                start,
                                start.plus(Duration.ofHours(2)),
                                start.plus(Duration.ofHours(1)));
        Answer created = client.send(owner, "POST", "/api/leases", wish);
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        return created.json();
    }

    /** Returns the last one: leases get the first ones, and one in use cannot be retired. */
    private long resource() {
        while (hosts().size() < ENOUGH_HOSTS) {
            Answer enrolled =
                    client.send(
                            "admin",
                            "POST",
                            "/api/resources",
                            "{\"kind\": \"physical:host\", \"name\": \"%s\"}"
                                    .formatted(api.enrollableHost()));
            assertThat(enrolled.status()).as(enrolled.toString()).isEqualTo(201);
        }
        JsonNode hosts = hosts();
        JsonNode last = hosts.path(hosts.size() - 1);
        samples.know("host", last.path("name").asString());
        samples.know("resource_name", last.path("name").asString());
        long id = last.path("id").asLong();
        Answer changed =
                client.send(
                        "admin",
                        "PATCH",
                        "/api/resources/" + id,
                        "{\"set\": {\"" + CAPABILITY + "\": \"sample\"}}");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        return id;
    }

    private String floatingIp() {
        JsonNode enrolled = client.get("admin", "/v1/floatingips").json().path("floatingips");
        if (!enrolled.isEmpty()) {
            return enrolled.path(enrolled.size() - 1).path("id").asString();
        }
        knowFloatingIp();
        Answer made =
                client.send(
                        "admin",
                        "POST",
                        "/v1/floatingips",
                        samples.of("", newFloatingIp().body()).toString());
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made.json().at("/floatingip/id").asString();
    }

    private Operation newFloatingIp() {
        return document.blazars().stream()
                .filter(operation -> operation.toString().equals("POST /v1/floatingips"))
                .findFirst()
                .orElseThrow();
    }

    private void knowFloatingIp() {
        FloatingIp free = FloatingIp.fromName(api.enrollableFloatingIp()).orElseThrow();
        samples.know("floating_network_id", free.network());
        samples.know("floating_ip_address", free.address());
    }

    /** Sets the owner of the calendar feeds and webhooks in requests. */
    void openFeedsAs(String user) {
        feedsOf = user;
    }

    /** Returns a feed; for users who may not have any, an id that does not exist. */
    private String feed() {
        if (feed == null) {
            Answer opened = client.send(feedsOf, "POST", "/api/calendar/feeds", "{}");
            feed =
                    opened.status() == 201
                            ? opened.json().path("id").asString()
                            : "00000000-0000-0000-0000-000000000009";
        }
        return feed;
    }

    /** Returns a webhook, likewise. */
    private String webhook() {
        if (webhook == null) {
            Answer made =
                    client.send(
                            feedsOf,
                            "POST",
                            "/api/webhooks",
                            "{\"url\": \"https://192.0.2.1/webhook\", \"enabled\": false}");
            webhook =
                    made.status() == 201
                            ? made.json().at("/webhook/id").asString()
                            : "00000000-0000-0000-0000-000000000009";
        }
        return webhook;
    }

    private JsonNode hosts() {
        return client.get("admin", "/api/resources?kind=physical:host").json().path("resources");
    }

    /** Returns whether a request was valid. */
    static boolean isValid(Answer answer) {
        return answer.status() / 100 == 2
                || answer.status() == 300
                || (answer.isProblem() && NOT_NOW.contains(answer.json().path("type").asString()));
    }

    String leaseId() {
        return lease.path("id").asString();
    }

    /** Returns a valid body of an operation. */
    JsonNode body(Operation operation) {
        knowFloatingIp();
        samples.know(
                "name", ENROLMENTS.contains(operation.path()) ? api.enrollableHost() : "sample");
        return samples.of("", operation.body());
    }

    /** Returns the address of an operation on existing objects, with every query parameter. */
    String address(Operation operation) {
        return address(operation, query(operation));
    }

    String address(Operation operation, Map<String, String> query) {
        String path = path(operation);
        List<String> pairs =
                query.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                        .toList();
        return pairs.isEmpty() ? path : path + "?" + String.join("&", pairs);
    }

    private String path(Operation operation) {
        String id = Long.toString(resource);
        if (operation.path().contains("/leases/")) {
            id = leaseId();
        } else if (operation.path().contains("/floatingips/")) {
            id = floatingIp;
        } else if (operation.path().contains("/feeds/")) {
            id = feed();
        } else if (operation.path().contains("/webhooks/")) {
            id = webhook();
        }
        return operation
                .path()
                .replace("{id}", id)
                .replace("{kind}", "physical:host")
                .replace("{position}", "1")
                .replace(
                        "{name}",
                        operation.path().contains("/read-models/") ? "leases" : CAPABILITY);
    }

    /**
     * Leaves the marker out, because only a response can give one. A list of leases as of an
     * instant allows fewer filters.
     */
    Map<String, String> query(Operation operation) {
        Map<String, String> query = new TreeMap<>();
        for (JsonNode parameter : operation.parameters("query")) {
            String name = parameter.path("name").asString();
            if (!name.equals("marker")) {
                query.put(name, samples.of(name, parameter.path("schema")).asString());
            }
        }
        if (operation.toString().equals("GET /api/leases")) {
            query.remove("as_of");
            query.put("status", "active,ended");
        }
        return query;
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
