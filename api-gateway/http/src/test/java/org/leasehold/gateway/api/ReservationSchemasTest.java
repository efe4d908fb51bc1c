package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.core.util.Json31;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.v1.FakeCloudPlugins;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Acting;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

class ReservationSchemasTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void a_reservation_matches_the_schema_of_the_kind() {
        JsonNode document = document(FakeCloudPlugins.ofAllKinds(), Set.of());

        assertThat(complaints(document, "physical:host", "{\"min\": 1, \"max\": 1}")).isEmpty();
        assertThat(complaints(document, "virtual:network", "{\"network_name\": \"x\"}")).isEmpty();
        assertThat(complaints(document, "acme:thing", "{\"mim\": 1}")).isEmpty();
    }

    @Test
    void a_misspelt_parameter_matches_no_alternative() {
        JsonNode document = document(FakeCloudPlugins.ofAllKinds(), Set.of());

        assertThat(complaints(document, "physical:host", "{\"mim\": 1, \"max\": 1}")).isNotEmpty();
        assertThat(complaints(document, "physical:host", "{\"min\": 0, \"max\": 1}")).isNotEmpty();
        assertThat(complaints(document, "virtual:network", "{\"name\": \"x\"}")).isNotEmpty();
    }

    @Test
    void the_discriminator_maps_every_kind() {
        JsonNode union =
                schemas(FakeCloudPlugins.ofAllKinds(), Set.of()).path("ReservationRequest");

        assertThat(union.at("/discriminator/propertyName").asString()).isEqualTo("kind");
        assertThat(union.at("/discriminator/mapping").propertyNames())
                .isEqualTo(FakeCloudPlugins.ofAllKinds().kinds());
        assertThat(union.path("oneOf").size()).isEqualTo(9);
        assertThat(union.at("/oneOf/0/$ref").asString())
                .isEqualTo("#/components/schemas/PhysicalHostReservation");
        assertThat(union.at("/oneOf/8/$ref").asString())
                .isEqualTo("#/components/schemas/OtherReservation");
    }

    @Test
    void a_kind_without_a_schema_is_free() {
        JsonNode document = document(new Sample().with("acme:free", null), Set.of());

        assertThat(complaints(document, "acme:free", "{\"anything\": 1}")).isEmpty();
        assertThat(
                        document.at("/components/schemas/ReservationRequest/discriminator/mapping")
                                .path("acme:free")
                                .asString())
                .endsWith("/OtherReservation");
    }

    @Test
    void a_plug_in_replaces_no_other_schema() {
        Map<String, Object> schema =
                Map.of(
                        "type", "object",
                        "properties", Map.of("size", Map.of("$ref", "#/$defs/Lease")),
                        "$defs", Map.of("Lease", Map.of("type", "integer")));
        Sample plugins = new Sample().with("lease:new", schema).with("other", schema);

        JsonNode schemas = schemas(plugins, Set.of("Lease", "LeaseNewParameters"));

        assertThat(schemas.propertyNames()).doesNotContain("Lease", "LeaseNewParameters");
        assertThat(schemas.at("/LeaseNew2Parameters/properties/size/$ref").asString())
                .isEqualTo("#/components/schemas/LeaseNew2Lease");
        assertThat(schemas.at("/LeaseNew2Lease/type").asString()).isEqualTo("integer");
        assertThat(schemas.path("ReservationRequest").has("oneOf")).isTrue();
        assertThat(schemas.has("Other2Reservation")).isTrue();
    }

    private static List<String> complaints(JsonNode document, String kind, String parameters) {
        JsonNode reservation =
                JSON.readTree("{\"kind\": \"%s\", \"parameters\": %s}".formatted(kind, parameters));
        return new SchemaValidator(new OpenApiDocument(document))
                .complaints(reservation, document.at("/components/schemas/ReservationRequest"));
    }

    private static JsonNode document(Plugins plugins, Set<String> taken) {
        ObjectNode document = JSON.createObjectNode();
        document.putObject("components").set("schemas", schemas(plugins, taken));
        return document;
    }

    private static JsonNode schemas(Plugins plugins, Set<String> taken) {
        return JSON.readTree(Json31.pretty(ReservationSchemas.of(plugins, taken)));
    }

    /** Plug-ins that only describe a kind. */
    private static final class Sample implements Plugins {

        private final SortedMap<String, ResourcePlugin> all = new TreeMap<>();

        Sample with(String kind, @Nullable Map<String, Object> schema) {
            all.put(kind, new Described(new ResourceKind(kind), new Describing(schema)));
            return this;
        }

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return Optional.ofNullable(all.get(kind.value()));
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(all.keySet());
        }
    }

    private record Described(ResourceKind kind, Planning planning) implements ResourcePlugin {

        @Override
        public Acting acting() {
            throw new UnsupportedOperationException();
        }
    }

    private record Describing(@Nullable Map<String, Object> schema) implements Planning {

        @Override
        public KindDescription description() {
            return schema == null
                    ? Planning.super.description()
                    : new KindDescription("Samples.", List.of(), schema, schema);
        }

        @Override
        public Plan plan(Map<String, @Nullable Object> parameters) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Plan change(
                Map<String, @Nullable Object> current,
                Map<String, @Nullable Object> changes,
                boolean running) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<String, @Nullable Object> render(ReservationWish wish) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String plural() {
            return "samples";
        }
    }
}
