package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.OpenApiDocument.Operation;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Sends many values in every field of every request of Blazar's API. A request that the description
 * forbids is rejected in Blazar's words, and has no effect. A request that it allows may be
 * rejected, but never causes an internal error.
 */
public abstract class BlazarBadInputContract {

    private static final List<String> QUERIES =
            List.of(
                    "",
                    " ",
                    "nonsense",
                    "0",
                    "1",
                    "-1",
                    "1.5",
                    "1001",
                    "99999999999999999999",
                    "a\0b",
                    "x".repeat(2_000),
                    "desc",
                    "created_at",
                    "STARTING",
                    "00000000-0000-0000-0000-000000000009");

    protected abstract ApiUnderTest api();

    @TestFactory
    Stream<DynamicTest> what_the_description_does_not_allow_is_refused() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return withBody(fixture)
                .flatMap(
                        operation ->
                                BlazarBodyVariants.of(fixture.body(operation)).stream()
                                        .map(variant -> test(fixture, operation, variant)));
    }

    private DynamicTest test(
            ApiFixture fixture, Operation operation, BlazarBodyVariants.Variant variant) {
        return dynamicTest(
                operation + ": " + variant.name(),
                () -> {
                    Supplier<Answer> request = () -> ask(fixture, operation, variant.body());
                    List<String> flaws = flaws(fixture, operation, variant.body());
                    if (!flaws.isEmpty()) {
                        assertRefused(fixture, operation, request);
                    } else {
                        long before = api().lastPosition();
                        Answer answer = request.get();
                        assertThat(answer.status()).as(answer.toString()).isLessThan(500);
                        assertThat(fixture.document.complaints(operation, answer)).isEmpty();
                        if (answer.status() >= 400 && !isLackOfHosts(answer)) {
                            assertThat(api().eventsOf(answer.requestId(), before))
                                    .as("its events")
                                    .isZero();
                        }
                    }
                });
    }

    private static List<String> flaws(ApiFixture fixture, Operation operation, String body) {
        try {
            JsonNode json = ApiClient.JSON.readTree(body);
            return new SchemaValidator(fixture.document).complaints(json, operation.body());
        } catch (JacksonException malformed) {
            return List.of("is not JSON");
        }
    }

    /** Returns whether hosts are short: the request is valid, and its refusal is an event. */
    private static boolean isLackOfHosts(Answer answer) {
        return answer.json().path("error_message").asString().equals("Not enough hosts available");
    }

    private void assertRefused(ApiFixture fixture, Operation operation, Supplier<Answer> request) {
        long before = api().lastPosition();
        Answer answer = request.get();
        assertThat(answer.status()).as(answer.toString()).isBetween(400, 499);
        assertThat(fixture.document.complaints(operation, answer)).as(answer.toString()).isEmpty();
        assertThat(answer.json().path("error_message").asString()).isNotBlank();
        assertThat(api().eventsOf(answer.requestId(), before)).as("its events").isZero();
    }

    @TestFactory
    Stream<DynamicTest> a_body_that_is_no_object_is_refused() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return withBody(fixture)
                .flatMap(
                        operation ->
                                Stream.of("", "{", "[]", "7", "\"x\"", "null", "[".repeat(5_000))
                                        .map(body -> noObject(fixture, operation, body)));
    }

    private DynamicTest noObject(ApiFixture fixture, Operation operation, String body) {
        return dynamicTest(
                operation + ": " + body.substring(0, Math.min(body.length(), 10)),
                () -> assertRefused(fixture, operation, () -> ask(fixture, operation, body)));
    }

    @TestFactory
    Stream<DynamicTest> a_body_that_is_not_json_is_not_read() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return withBody(fixture)
                .flatMap(
                        operation ->
                                Stream.of("text/plain", "application/xml", "nonsense")
                                        .map(type -> wrongType(fixture, operation, type)));
    }

    private DynamicTest wrongType(ApiFixture fixture, Operation operation, String type) {
        return dynamicTest(
                operation + " as " + type,
                () -> {
                    String body = fixture.body(operation).toString();
                    var request =
                            fixture.client
                                    .request(
                                            BadInputContract.userOf(operation),
                                            fixture.address(operation))
                                    .header("Content-Type", type)
                                    .method(operation.method(), BodyPublishers.ofString(body));
                    assertRefused(fixture, operation, () -> fixture.client.send(request));
                });
    }

    @TestFactory
    Stream<DynamicTest> a_query_that_makes_no_sense_is_refused_and_an_unknown_one_ignored() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        List<DynamicTest> tests = new ArrayList<>();
        for (Operation operation : fixture.document.blazars()) {
            if (!operation.method().equals("GET")) {
                continue;
            }
            String address = fixture.address(operation, Map.of());
            tests.add(query(fixture, operation, address + "?unknown=", "x", null));
            for (JsonNode parameter : operation.parameters("query")) {
                String name = parameter.path("name").asString();
                for (String value : QUERIES) {
                    boolean fits = fits(fixture, parameter.path("schema"), value);
                    tests.add(
                            query(
                                    fixture,
                                    operation,
                                    address + "?" + name + "=",
                                    value,
                                    fits && value.indexOf('\0') < 0 ? null : name));
                }
                String twice = address + "?" + name + "=1&" + name + "=";
                tests.add(query(fixture, operation, twice, "1", name));
            }
        }
        return tests.stream();
    }

    private static boolean fits(ApiFixture fixture, JsonNode schema, String value) {
        boolean number = OpenApiDocument.isOf(schema, "integer") && value.matches("-?[0-9]+");
        JsonNode json =
                ApiClient.JSON.readTree(number ? value : ApiClient.JSON.writeValueAsString(value));
        return new SchemaValidator(fixture.document).complaints(json, schema).isEmpty();
    }

    /**
     * A request with a query.
     *
     * @param atFault the invalid parameter; null if all are valid
     */
    private DynamicTest query(
            ApiFixture fixture,
            Operation operation,
            String address,
            String value,
            @Nullable String atFault) {
        return dynamicTest(
                operation.method() + " " + address + value,
                () -> {
                    Supplier<Answer> request =
                            () ->
                                    fixture.client.get(
                                            BadInputContract.userOf(operation),
                                            address + ApiFixture.encoded(value));
                    Answer answer = request.get();
                    assertThat(fixture.document.complaints(operation, answer)).isEmpty();
                    if (atFault == null) {
                        assertThat(answer.status()).as(answer.toString()).isLessThan(500);
                    } else {
                        assertRefused(fixture, operation, request);
                        assertThat(answer.json().path("error_message").asString())
                                .startsWith("Malformed parameter " + atFault);
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> what_cannot_name_anything_names_nothing() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return fixture.document.blazars().stream()
                .filter(operation -> operation.path().contains("{"))
                .flatMap(
                        operation ->
                                BadInputContract.IDS_OF_NOTHING.stream()
                                        .map(id -> unknownId(fixture, operation, id)));
    }

    private DynamicTest unknownId(ApiFixture fixture, Operation operation, String id) {
        String path = operation.path().replaceAll("\\{\\w+}", id);
        return dynamicTest(
                operation.method() + " " + path,
                () ->
                        assertRefused(
                                fixture,
                                operation,
                                () ->
                                        fixture.client.send(
                                                BadInputContract.userOf(operation),
                                                operation.method(),
                                                path,
                                                operation.hasBody()
                                                        ? fixture.body(operation).toString()
                                                        : null)));
    }

    private static Stream<Operation> withBody(ApiFixture fixture) {
        return fixture.document.blazars().stream().filter(Operation::hasBody);
    }

    private static Answer ask(ApiFixture fixture, Operation operation, String body) {
        return fixture.client.send(
                BadInputContract.userOf(operation),
                operation.method(),
                fixture.address(operation),
                body);
    }
}
