package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiDocument.Operation;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Things that exist in a product, and valid requests that are about them. */
final class Fixture {

    private static final String CAPABILITY = "sample";

    final ApiClient client;
    final ApiDocument document;

    private final ApiUnderTest api;
    private final Samples samples;
    private final JsonNode lease;
    private final long resource;

    private Fixture(ApiUnderTest api, String owner) {
        this.api = api;
        this.client = new ApiClient(api);
        this.document = new ApiDocument(client.get("", "/openapi.json").json());
        this.samples = new Samples(document, api.now());
        this.resource = resource();
        this.lease = lease(owner);
        samples.know("name", "sample");
        samples.know("id", lease.at("/reservations/0/id").asString());
    }

    /** With a lease of the owner's. */
    static Fixture of(ApiUnderTest api, String owner) {
        return new Fixture(api, owner);
    }

    private JsonNode lease(String owner) {
        Instant start = api.now().plus(Duration.ofDays(1));
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

    private long resource() {
        JsonNode enrolled = client.get("admin", "/api/resources").json().path("resources");
        long id =
                enrolled.isEmpty()
                        ? client.send(
                                        "admin",
                                        "POST",
                                        "/api/resources",
                                        "{\"kind\": \"physical:host\", \"name\": \"%s\"}"
                                                .formatted(api.enrollableHost()))
                                .json()
                                .path("id")
                                .asLong()
                        : enrolled.path(0).path("id").asLong();
        Answer changed =
                client.send(
                        "admin",
                        "PATCH",
                        "/api/resources/" + id,
                        "{\"set\": {\"" + CAPABILITY + "\": \"sample\"}}");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        return id;
    }

    String leaseId() {
        return lease.path("id").asString();
    }

    /** A valid body of an operation. */
    JsonNode body(Operation operation) {
        samples.know(
                "name",
                operation.path().equals("/api/resources") ? api.enrollableHost() : "sample");
        return samples.of("", operation.body());
    }

    /** The address of an operation on what exists, with every query parameter. */
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
        String id = operation.path().contains("/leases/") ? leaseId() : Long.toString(resource);
        return operation
                .path()
                .replace("{id}", id)
                .replace("{kind}", "physical:host")
                .replace("{name}", CAPABILITY);
    }

    /** A marker is not made up but given out, so none is sent. */
    Map<String, String> query(Operation operation) {
        Map<String, String> query = new TreeMap<>();
        for (JsonNode parameter : operation.parameters("query")) {
            String name = parameter.path("name").asString();
            if (!name.equals("marker")) {
                query.put(name, samples.of(name, parameter.path("schema")).asString());
            }
        }
        return query;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
