package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The documentation of the events matches the events. */
class AsyncApiTest {

    private static final Path CHECKED_IN = Path.of("../../infra/openapi/asyncapi.json");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final EventCatalog catalog = new EventCatalog();
    private final JsonNode http =
            JSON.readTree(CHECKED_IN.resolveSibling("openapi.json"))
                    .path("components")
                    .path("schemas");
    private final JsonNode document = JSON.valueToTree(AsyncApi.of(catalog, http));

    /** Start the build with -Dopenapi=write once to accept a change, and check the difference. */
    @Test
    void what_is_checked_in_is_what_the_catalog_says() throws IOException {
        String written = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
        if ("write".equals(System.getProperty("openapi"))) {
            Files.writeString(CHECKED_IN, written);
        }
        assertThat(Files.readString(CHECKED_IN)).isEqualTo(written);
    }

    /** Validates with the schema that AsyncAPI publishes. */
    @Test
    void it_is_an_asyncapi_document() throws IOException {
        Schema asyncApi =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                        .getSchema(
                                JSON.readTree(Path.of("src/test/resources/asyncapi/3.0.0.json")));

        assertThat(asyncApi.validate(document)).isEmpty();
        ObjectNode wrong = (ObjectNode) document.deepCopy();
        ((ObjectNode) wrong.at("/operations/publishUsage")).put("action", "sell");
        assertThat(asyncApi.validate(wrong)).isNotEmpty();
    }

    @Test
    void every_event_of_the_catalog_is_in_it() {
        assertThat(document.at("/channels/events/messages").propertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        catalog.entries().stream().map(AsyncApi::name).toList());
    }

    @Test
    void nothing_refers_to_what_is_not_there() {
        assertThat(document.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(
                        reference ->
                                assertThat(document.at(reference.substring(1)).isMissingNode())
                                        .isFalse());
    }

    /** Compares both documents: they agree, and no name has two meanings. */
    @Test
    void a_lease_is_what_it_is_over_http() {
        JsonNode schemas = document.at("/components/schemas");
        for (String name : List.of("Lease", "Reservation", "ScheduledEvent")) {
            assertThat(schemas.path(name)).isEqualTo(http.path(name));
        }
        assertThat(LeasesTopic.schemas(http).keySet())
                .doesNotContainAnyElementsOf(
                        catalog.entries().stream()
                                .map(each -> each.type().getSimpleName())
                                .toList());
    }

    static List<Object> samples() {
        return Samples.events();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void an_event_is_as_its_schema_says(Object event) throws IOException {
        String golden = golden(event);

        assertThat(complaints(event, golden)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void an_event_that_lacks_something_is_not(Object event) throws IOException {
        ObjectNode golden = (ObjectNode) JSON.readTree(golden(event));
        for (String field : new ArrayList<>(golden.propertyNames())) {
            ObjectNode less = golden.deepCopy();
            less.remove(field);
            boolean optional =
                    field.equals("beforeEnd")
                            || field.equals("cloudIds")
                            || field.equals("region")
                            || field.equals("zone");
            assertThat(complaints(event, less.toString()).isEmpty()).as(field).isEqualTo(optional);
            ObjectNode other = golden.deepCopy();
            other.put(field, 0.5);
            assertThat(complaints(event, other.toString())).as(field).isNotEmpty();
        }
    }

    /** The schema contains every field that is written. */
    @ParameterizedTest
    @MethodSource("samples")
    void the_schema_names_every_field(Object event) throws IOException {
        JsonNode properties =
                document.at("/components/schemas")
                        .path(event.getClass().getSimpleName())
                        .path("properties");

        assertThat(properties.propertyNames())
                .containsAll(JSON.readTree(golden(event)).propertyNames());
    }

    private List<Error> complaints(Object event, String data) {
        ObjectNode schema = JSON.createObjectNode();
        schema.set("components", document.path("components"));
        schema.set(
                "allOf",
                JSON.valueToTree(
                        List.of(
                                Map.of(
                                        "$ref",
                                        AsyncApi.SCHEMAS + event.getClass().getSimpleName()))));
        Schema compiled =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(schema);
        return compiled.validate(
                JSON.readTree(data),
                context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    }

    private String golden(Object event) throws IOException {
        return Files.readString(
                Path.of(
                        "src/test/resources/events",
                        AsyncApi.name(catalog.of(event.getClass())) + ".json"));
    }
}
