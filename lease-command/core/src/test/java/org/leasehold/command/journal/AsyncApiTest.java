package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;

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

    private static final Path CHECKED_IN = Path.of("../../infra/docs/openapi/asyncapi.json");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final EventCatalog catalog = new EventCatalog();
    private final JsonNode http =
            JSON.readTree(CHECKED_IN.resolveSibling("openapi.json"))
                    .path("components")
                    .path("schemas");
    private final JsonNode document = JSON.valueToTree(AsyncApi.of(catalog, http));

    /** Start the build with -Dopenapi=write once to accept a change, and check the difference. */
    @Test
    void the_checked_in_document_matches_the_catalog() throws IOException {
        String written = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
        if ("write".equals(System.getProperty("openapi"))) {
            Files.writeString(CHECKED_IN, written);
        }
        assertThat(Files.readString(CHECKED_IN)).isEqualTo(written);
    }

    /** Validates with the schema that AsyncAPI publishes. */
    @Test
    void the_document_is_valid_asyncapi() throws IOException {
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
    void the_document_contains_every_event_of_the_catalog() {
        assertThat(document.at("/channels/events/messages").propertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        catalog.entries().stream().map(AsyncApi::name).toList());
    }

    @Test
    void every_reference_has_a_target() {
        assertThat(document.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(
                        reference ->
                                assertThat(document.at(reference.substring(1)).isMissingNode())
                                        .isFalse());
    }

    /** Compares both documents: they agree, and no name has two meanings. */
    @Test
    void the_lease_schemas_equal_those_of_the_http_api() {
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
        return EventSamples.events();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void an_event_conforms_to_the_schema(Object event) throws IOException {
        String golden = golden(event);

        assertThat(complaints(event, golden)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void an_event_with_a_missing_or_wrong_field_violates_the_schema(Object event)
            throws IOException {
        ObjectNode golden = (ObjectNode) JSON.readTree(golden(event));
        for (String field : new ArrayList<>(golden.propertyNames())) {
            ObjectNode less = golden.deepCopy();
            less.remove(field);
            boolean optional =
                    field.equals("beforeEnd")
                            || field.equals("cloudIds")
                            || field.equals("region")
                            || field.equals("zone")
                            || (field.equals("tenure") && event instanceof ReservationRemoved);
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
