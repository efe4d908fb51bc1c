package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.OpenApiDocument.Operation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** Parameters that accept a time in the past. */
    private static final Set<String> LOOKING_BACK =
            Set.of("from", "as_of", "before", "start_before", "end_after");

    private static final String HUGE_INSTANT = "\"+999999999-01-01T00:00:00Z\"";

    protected abstract ApiUnderTest api();

    /** Receives each accepted request; by default, ignores it. */
    protected void onAccepted(ExampleRecorder.Example example) {}

    /**
     * A request with one defect.
     *
     * @param field the field that the response names; null where no single field is invalid
     */
    private record Flaw(String name, String body, @Nullable String field) {}

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
                                flaws(fixture, operation).stream()
                                        .map(flaw -> test(fixture, operation, flaw)));
    }

    private DynamicTest test(ApiFixture fixture, Operation operation, Flaw flaw) {
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

    private static List<Flaw> flaws(ApiFixture fixture, Operation operation) {
        JsonNode valid = fixture.body(operation);
        List<Flaw> flaws = new ArrayList<>();
        flaws.add(new Flaw("nothing", "", null));
        flaws.add(new Flaw("malformed", valid.toString().substring(1), null));
        flaws.add(new Flaw("cut off", valid.toString().substring(0, 5), null));
        flaws.add(new Flaw("two values", valid + "{}", null));
        flaws.add(new Flaw("a list", "[]", null));
        flaws.add(new Flaw("a text", "\"x\"", null));
        flaws.add(new Flaw("null", "null", null));
        flaws.add(new Flaw("very deep", "[".repeat(5_000), null));
        new Mutations(fixture.document, valid, flaws)
                .of("", fixture.document.resolve(operation.body()));
        return flaws;
    }

    /** Walks through a body and its schema together. */
    private record Mutations(OpenApiDocument document, JsonNode valid, List<Flaw> flaws) {

        void of(String path, JsonNode schema) {
            add(path(path, "unknown_field"), "unknown", "1");
            schema.path("properties")
                    .properties()
                    .forEach(
                            property ->
                                    ofField(
                                            path(path, property.getKey()),
                                            property.getValue(),
                                            OpenApiDocument.isRequired(schema, property.getKey())));
        }

        private void ofField(String path, JsonNode reference, boolean required) {
            JsonNode schema = document.resolve(reference);
            if (required) {
                remove(path);
            }
            add(path, "null", "null");
            wrongTypes(schema).forEach(value -> add(path, "of the wrong type: " + value, value));
            if (OpenApiDocument.isOf(schema, "string")) {
                ofText(path, schema);
            }
            if (OpenApiDocument.isOf(schema, "integer")) {
                add(path, "huge", "99999999999999999999");
                add(path, "endless", "1e999999");
                add(path, "too much", schema.path("maximum").asLong() + 1 + "");
                add(path, "negative", "-1");
            }
            if (OpenApiDocument.isOf(schema, "array")
                    && !OpenApiDocument.isOf(schema, "string")
                    && !OpenApiDocument.isOfAnything(schema.path("items"))) {
                String element = valid.at(pointer(path)).path(0).toString();
                int maxItems = schema.path("maxItems").asInt(10_000);
                add(path, "huge", "[" + (element + ",").repeat(maxItems) + element + "]");
                ofElement(path, schema.path("items"));
            }
            if (OpenApiDocument.isOf(schema, "object")) {
                if (schema.path("additionalProperties").isObject()) {
                    ofField(path(path, "sample"), schema.path("additionalProperties"), false);
                } else {
                    of(path, schema);
                }
            }
        }

        private void ofElement(String path, JsonNode reference) {
            JsonNode schema = document.resolve(reference);
            String element = path + "[0]";
            add(element, "null", "null");
            wrongTypes(schema).forEach(value -> add(element, "of the wrong type: " + value, value));
            if (OpenApiDocument.isOf(schema, "object")) {
                of(element, schema);
            }
            if (OpenApiDocument.isOf(schema, "string")) {
                ofText(element, schema);
            }
        }

        private void ofText(String path, JsonNode schema) {
            add(path, "with U+0000", "\"\\u0000\"");
            add(path, "with half a character", "\"\\ud800\"");
            switch (schema.path("format").asString("")) {
                case "date-time" -> {
                    add(path, "empty", "\"\"");
                    add(path, "no time", "\"tomorrow\"");
                    add(path, "without offset", "\"2099-01-01T00:00:00\"");
                    add(path, "huge", HUGE_INSTANT);
                    add(path, "in the past", "\"1999-12-31T23:59:59Z\"");
                    add(path, "before all time", "\"-0001-12-31T23:59:59Z\"");
                }
                case "duration" -> {
                    add(path, "empty", "\"\"");
                    add(path, "no duration", "\"soon\"");
                    add(path, "huge", "\"P99999999999D\"");
                    add(path, "negative", "\"-PT1H\"");
                    add(path, "zero", "\"PT0S\"");
                }
                case "uuid" -> {
                    add(path, "empty", "\"\"");
                    add(path, "no uuid", "\"me\"");
                    add(path, "unknown", "\"00000000-0000-0000-0000-000000000009\"");
                }
                default -> {
                    if (schema.has("enum")) {
                        add(path, "none of the words", "\"nonsense\"");
                        add(path, "the number of a word", "0");
                    } else if (schema.path("minLength").asInt() > 0) {
                        add(path, "empty", "\"\"");
                        add(path, "blank", "\"  \"");
                    }
                    int longest = schema.path("maxLength").asInt(10_000);
                    add(path, "huge", "\"" + "x".repeat(longest + 1) + "\"");
                }
            }
        }

        private static List<String> wrongTypes(JsonNode schema) {
            List<String> values = new ArrayList<>();
            values.add("true");
            values.add("1.5");
            values.add("{\"a\": 1}");
            values.add("[1]");
            values.add("\"nonsense\"");
            values.add("7");
            values.removeIf(
                    value ->
                            switch (value.charAt(0)) {
                                case 't' -> OpenApiDocument.isOf(schema, "boolean");
                                case '{' -> OpenApiDocument.isOf(schema, "object");
                                case '[' -> OpenApiDocument.isOf(schema, "array");
                                case '"' -> OpenApiDocument.isOf(schema, "string");
                                default ->
                                        OpenApiDocument.isOf(schema, "number")
                                                || (value.equals("7")
                                                        && OpenApiDocument.isOf(schema, "integer"));
                            });
            return values;
        }

        private static String path(String parent, String name) {
            return parent.isEmpty() ? name : parent + "." + name;
        }

        private void remove(String path) {
            JsonNode body = valid.deepCopy();
            ObjectNode parent = (ObjectNode) parent(body, path);
            parent.remove(name(path));
            flaws.add(new Flaw(path + " missing", body.toString(), path));
        }

        private void add(String path, String how, String value) {
            JsonNode body = valid.deepCopy();
            String mark = "\"the-flaw\"";
            switch (parent(body, path)) {
                case ObjectNode object -> object.put(name(path), "the-flaw");
                case ArrayNode array -> array.set(0, "the-flaw");
                default -> throw new AssertionError(path);
            }
            flaws.add(new Flaw(path + " " + how, body.toString().replace(mark, value), path));
        }

        private static JsonNode parent(JsonNode body, String path) {
            String pointer = pointer(path);
            return body.at(pointer.substring(0, pointer.lastIndexOf('/')));
        }

        private static String pointer(String path) {
            return "/" + path.replace("[0]", "/0").replace('.', '/');
        }

        private static String name(String path) {
            return path.substring(path.lastIndexOf('.') + 1);
        }
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
            for (String value : flawedQueryValues(name, schema)) {
                tests.add(query(fixture, operation, valid, name, value));
            }
            tests.add(twice(fixture, operation, valid, name));
        }
        return tests.stream();
    }

    /** Values that are defects elsewhere, and valid for these parameters. */
    private static final Map<String, String> NO_FLAWS =
            Map.ofEntries(
                    Map.entry("after", "0"),
                    Map.entry("wait", "PT0S"),
                    Map.entry("user", "nonsense"),
                    Map.entry("name", "nonsense"),
                    Map.entry("project", "nonsense"),
                    Map.entry("target", "nonsense"),
                    Map.entry("target_project", "nonsense"),
                    Map.entry("zone", "nonsense"),
                    Map.entry("by", "nonsense"),
                    Map.entry("action", "nonsense"),
                    Map.entry("filter", "nonsense"));

    private static List<String> flawedQueryValues(String name, JsonNode schema) {
        List<String> values = new ArrayList<>(List.of("", " ", "nonsense", "non\0sense"));
        if (OpenApiDocument.isOf(schema, "integer")) {
            values.addAll(List.of("-1", "0", "1.5", "99999999999999999999"));
        }
        switch (schema.path("format").asString("")) {
            case "date-time" -> {
                values.addAll(List.of("7", "2099-01-01", "+999999999-01-01T00:00:00Z"));
                if (!LOOKING_BACK.contains(name)) {
                    values.add("1999-12-31T23:59:59Z");
                }
            }
            case "duration" -> values.addAll(List.of("7", "-PT1H", "PT0S", "P99999999999D"));
            default -> {}
        }
        values.remove(NO_FLAWS.get(name));
        return values;
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
