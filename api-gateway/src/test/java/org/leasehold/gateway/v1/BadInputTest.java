package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Every field of every body, with every value that somebody could send: never a fault of ours, and
 * where it is refused nothing has happened.
 */
class BadInputTest extends V1Server {

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "0",
                    "-1",
                    "1.5",
                    "9223372036854775807",
                    "99999999999999999999999999",
                    "1e400",
                    "1e2147483647",
                    "\"\"",
                    "\" \"",
                    "\"nonsense\"",
                    "\"\\u0000\"",
                    "\"\\ud800\"",
                    "\"" + "x".repeat(100_000) + "\"",
                    "\"1999-12-31 23:59\"",
                    "\"9999-12-31 23:59\"",
                    "\"[]\"",
                    "\"[\\\"==\\\", \\\"$gpu\\\", \\\"V100\\\"]\"",
                    "[]",
                    "[null]",
                    "[[]]",
                    "{}",
                    "{\"\": null}",
                    "[".repeat(600) + "]".repeat(600));

    private String lease = "";
    private String reservation = "";

    @BeforeEach
    void a_lease_and_a_host() {
        JsonNode created = post("member", "/v1/leases", LEASE).json().path("lease");
        lease = created.path("id").asString();
        reservation = created.at("/reservations/0/id").asString();
        post("admin", "/v1/os-hosts", "{\"name\": \"compute-1\", \"gpu\": \"V100\"}");
    }

    private record Endpoint(String user, String method, String path, String body) {}

    static Stream<String> endpoints() {
        return Stream.of("create", "change", "enrol", "change host", "property");
    }

    private Endpoint endpoint(String name) {
        String changedReservation =
                "{\"id\": \"%s\", \"min\": 1, \"max\": 2, \"resource_properties\": \"\"}"
                        .formatted(reservation);
        return switch (name) {
            case "create" -> new Endpoint("member", "POST", "/v1/leases", LEASE);
            case "change" ->
                    new Endpoint(
                            "member",
                            "PUT",
                            "/v1/leases/" + lease,
                            """
                            {"name": "other", "start_date": "2026-11-22 09:00",
                             "end_date": "2026-11-22 11:00", "before_end_date": null,
                             "events": [], "reservations": [%s]}
                            """
                                    .formatted(changedReservation));
            case "enrol" ->
                    new Endpoint(
                            "admin",
                            "POST",
                            "/v1/os-hosts",
                            "{\"name\": \"compute-2\", \"gpu\": \"V100\"}");
            case "change host" ->
                    new Endpoint("admin", "PUT", "/v1/os-hosts/1", "{\"gpu\": \"A100\"}");
            case "property" ->
                    new Endpoint(
                            "admin", "PATCH", "/v1/os-hosts/properties/gpu", "{\"private\": true}");
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void no_value_of_a_field_is_our_fault(String name) {
        Endpoint endpoint = endpoint(name);
        for (Map.Entry<String, String> variant : variants(endpoint.body()).entrySet()) {
            long before = engine.position();
            Answer answer =
                    send(endpoint.user(), endpoint.method(), endpoint.path(), variant.getValue());
            assertThat(answer.status()).as(variant.getKey()).isLessThan(500);
            if (answer.status() >= 400) {
                assertThat(answer.message()).as(variant.getKey()).isNotEmpty();
                assertThat(engine.position()).as(variant.getKey()).isEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"\": 1}", "{\"a\\u0000b\": 1}", "{\"\\udfff\": \"x\"}"})
    void no_name_of_a_field_is_our_fault(String body) {
        for (String name : endpoints().toList()) {
            Endpoint endpoint = endpoint(name);
            Answer answer = send(endpoint.user(), endpoint.method(), endpoint.path(), body);
            assertThat(answer.status()).as(name + ": " + answer).isLessThan(500);
        }
    }

    /** The body without each field, and with each value in each field, by what was done to it. */
    private static Map<String, String> variants(String body) {
        Map<String, String> variants = new LinkedHashMap<>();
        for (String pointer : pointers(JSON.readTree(body), "")) {
            variants.put(pointer + " missing", without(body, pointer));
            for (String value : VALUES) {
                String shown = value.length() > 40 ? value.substring(0, 40) + "…" : value;
                variants.put(pointer + " = " + shown, with(body, pointer, value));
            }
        }
        return variants;
    }

    private static List<String> pointers(JsonNode node, String prefix) {
        List<String> pointers = new ArrayList<>();
        node.forEachEntry(
                (field, value) -> {
                    pointers.add(prefix + "/" + field);
                    pointers.addAll(pointers(value, prefix + "/" + field));
                });
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                pointers.addAll(pointers(node.get(i), prefix + "/" + i));
            }
        }
        return pointers;
    }

    private static String without(String body, String pointer) {
        JsonNode tree = JSON.readTree(body);
        parent(tree, pointer).remove(field(pointer));
        return tree.toString();
    }

    /** As text, because no tree holds all of these values as they are written. */
    private static String with(String body, String pointer, String value) {
        JsonNode tree = JSON.readTree(body);
        parent(tree, pointer).put(field(pointer), "@@@");
        return tree.toString().replace("\"@@@\"", value);
    }

    private static ObjectNode parent(JsonNode tree, String pointer) {
        return (ObjectNode) tree.at(pointer.substring(0, pointer.lastIndexOf('/')));
    }

    private static String field(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1);
    }
}
