package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.OpenApiDocument.Operation;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Sends invalid values in every field of every request of the API's description, so a new field is
 * covered by its description. Each response is a problem that names the field, and the request has
 * no effect.
 */
public abstract class BadInputContract {

    static final List<String> IDS_OF_NOTHING =
            List.of(
                    "nonsense",
                    "-1",
                    "0",
                    "99999999999999999999",
                    "00000000-0000-0000-0000-000000000009");

    protected abstract ApiUnderTest api();

    /** Receives each accepted request; by default, ignores it. */
    protected void onAccepted(ExampleRecorder.Example example) {}

    @TestFactory
    Stream<DynamicTest> every_valid_request_is_accepted() {
        return ApiFixture.of(api(), "member").document.operations().stream()
                .map(
                        operation ->
                                dynamicTest(
                                        operation.toString(),
                                        () -> {
                                            ApiFixture fixture = ApiFixture.of(api(), "member");
                                            long before = api().lastPosition();
                                            Answer answer = ask(fixture, operation, before);
                                            assertThat(ApiFixture.isValid(answer))
                                                    .as(answer.toString())
                                                    .isTrue();
                                            assertThat(
                                                            fixture.document.complaints(
                                                                    operation, answer))
                                                    .as(answer.toString())
                                                    .isEmpty();
                                            if (answer.status() < 300 && !operation.isBlazars()) {
                                                onAccepted(example(fixture, operation, answer));
                                                assertThat(answer.position())
                                                        .as("the position that it stands on")
                                                        .isBetween(before, api().lastPosition());
                                            }
                                        }));
    }

    private static ExampleRecorder.Example example(
            ApiFixture fixture, Operation operation, Answer answer) {
        return new ExampleRecorder.Example(
                operation.description().path("operationId").asString(),
                operation.hasBody() ? fixture.body(operation) : null,
                answer);
    }

    /** Queries data that includes all events up to a position: some read models lag behind. */
    private Answer ask(ApiFixture fixture, Operation operation, long position) {
        return fixture.client.send(
                fixture.client
                        .request(userOf(operation), fixture.address(operation))
                        .header("Leasehold-Position", Long.toString(position)),
                operation.method(),
                operation.hasBody() ? fixture.body(operation).toString() : null);
    }

    @TestFactory
    Stream<DynamicTest> a_body_with_a_flaw_is_refused_and_the_field_is_named() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return fixture.document.ours().stream()
                .filter(Operation::hasBody)
                .flatMap(
                        operation ->
                                BodyFlaws.of(fixture, operation).stream()
                                        .map(flaw -> test(fixture, operation, flaw)));
    }

    private DynamicTest test(ApiFixture fixture, Operation operation, BodyFlaws.Flaw flaw) {
        return dynamicTest(
                operation + ": " + flaw.name(),
                () ->
                        assertRefused(
                                fixture,
                                operation,
                                () ->
                                        fixture.client.send(
                                                userOf(operation),
                                                operation.method(),
                                                fixture.address(operation),
                                                flaw.body()),
                                flaw.field()));
    }

    private void assertRefused(
            ApiFixture fixture,
            Operation operation,
            Supplier<Answer> request,
            @Nullable String field) {
        long before = api().lastPosition();
        Answer answer = request.get();
        assertThat(answer.status()).as(answer.toString()).isBetween(400, 499);
        assertThat(answer.isProblem()).as(answer.toString()).isTrue();
        assertThat(fixture.document.complaints(operation, answer)).isEmpty();
        if (field != null) {
            assertThat(answer.names(field) || answer.namesWithin(field))
                    .as(field + " in " + answer)
                    .isTrue();
        }
        assertThat(api().eventsOf(answer.requestId(), before)).as("its events").isZero();
    }

    @TestFactory
    Stream<DynamicTest> a_body_that_is_not_json_is_not_read() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return fixture.document.ours().stream()
                .filter(Operation::hasBody)
                .flatMap(
                        operation ->
                                Stream.of(
                                                "text/plain",
                                                "application/xml",
                                                "application/x-www-form-urlencoded",
                                                "multipart/form-data",
                                                "nonsense",
                                                "")
                                        .map(type -> wrongType(fixture, operation, type)));
    }

    private DynamicTest wrongType(ApiFixture fixture, Operation operation, String type) {
        return dynamicTest(
                operation + " as " + type,
                () -> {
                    var request =
                            fixture.client
                                    .request(userOf(operation), fixture.address(operation))
                                    .method(
                                            operation.method(),
                                            BodyPublishers.ofString(
                                                    fixture.body(operation).toString()));
                    if (!type.isEmpty()) {
                        request.header("Content-Type", type);
                    }
                    assertRefused(fixture, operation, () -> fixture.client.send(request), null);
                });
    }

    @TestFactory
    Stream<DynamicTest> a_query_with_a_flaw_is_refused_and_the_parameter_is_named() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return fixture.document.ours().stream()
                .flatMap(operation -> queryFlaws(fixture, operation));
    }

    private Stream<DynamicTest> queryFlaws(ApiFixture fixture, Operation operation) {
        List<DynamicTest> tests = new ArrayList<>();
        Map<String, String> valid = fixture.query(operation);
        tests.add(query(fixture, operation, valid, "unknown_parameter", "x"));
        for (JsonNode parameter : operation.parameters("query")) {
            String name = parameter.path("name").asString();
            JsonNode schema = parameter.path("schema");
            if (parameter.path("required").asBoolean()) {
                tests.add(query(fixture, operation, valid, name, null));
            }
            for (String value : QueryFlaws.of(name, schema)) {
                tests.add(query(fixture, operation, valid, name, value));
            }
            tests.add(twice(fixture, operation, valid, name));
        }
        return tests.stream();
    }

    private DynamicTest query(
            ApiFixture fixture,
            Operation operation,
            Map<String, String> valid,
            String name,
            @Nullable String value) {
        Map<String, String> query = new TreeMap<>(valid);
        if (value == null) {
            query.remove(name);
        } else {
            query.put(name, value);
        }
        return dynamicTest(
                operation + ": " + name + "=" + value,
                () ->
                        assertRefused(
                                fixture,
                                operation,
                                () ->
                                        fixture.client.send(
                                                userOf(operation),
                                                operation.method(),
                                                fixture.address(operation, query),
                                                operation.hasBody()
                                                        ? fixture.body(operation).toString()
                                                        : null),
                                name));
    }

    private DynamicTest twice(
            ApiFixture fixture, Operation operation, Map<String, String> valid, String name) {
        Map<String, String> query = new TreeMap<>(valid);
        query.remove(name);
        String address = fixture.address(operation, query);
        String pair = name + "=x";
        return dynamicTest(
                operation + ": " + name + " twice",
                () ->
                        assertRefused(
                                fixture,
                                operation,
                                () ->
                                        fixture.client.send(
                                                userOf(operation),
                                                operation.method(),
                                                address
                                                        + (address.contains("?") ? "&" : "?")
                                                        + pair
                                                        + "&"
                                                        + pair,
                                                operation.hasBody()
                                                        ? fixture.body(operation).toString()
                                                        : null),
                                name));
    }

    @TestFactory
    Stream<DynamicTest> what_cannot_name_anything_names_nothing() {
        ApiFixture fixture = ApiFixture.of(api(), "member");
        return fixture.document.ours().stream()
                .filter(operation -> operation.path().contains("{"))
                .flatMap(
                        operation ->
                                IDS_OF_NOTHING.stream()
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
                                                userOf(operation),
                                                operation.method(),
                                                path,
                                                operation.hasBody()
                                                        ? fixture.body(operation).toString()
                                                        : null),
                                null));
    }

    /** Members send requests about leases, operators all others. */
    static String userOf(Operation operation) {
        return operation.path().matches("/(api|v1)/leases.*") ? "member" : "admin";
    }
}
