package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toSet;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.Planning.Plan;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules of a kind's description. It matches what planning accepts and refuses. A kind without a
 * schema passes: its parameters are a free object.
 */
public abstract class KindDescriptionContract {

    private static final String UNKNOWN = "no_such_parameter";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final SchemaRegistry SCHEMAS =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    /** Returns the plug-in; the same one during a test. */
    protected abstract ResourcePlugin plugin();

    /** Returns the parameters of a reservation as a user may send them. */
    protected abstract Map<String, @Nullable Object> parameters();

    /** Returns a change of these parameters that is allowed before the reservation starts. */
    protected abstract Map<String, @Nullable Object> changes();

    /** Returns a user's parameters with the cloud's descriptions. */
    abstract Map<String, @Nullable Object> completed(Map<String, @Nullable Object> given);

    @Test
    void the_description_has_a_summary() {
        assertThat(description().summary()).isNotBlank().endsWith(".").doesNotContain("\n");
    }

    @Test
    void the_schemas_are_valid_json_schemas() {
        Schema dialect =
                SCHEMAS.getSchema(
                        SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

        assertThat(dialect.validate(tree(Map.of("type", "no such type")))).isNotEmpty();
        assertThat(dialect.validate(tree(description().parameters()))).isEmpty();
        assertThat(dialect.validate(tree(description().changes()))).isEmpty();
    }

    @Test
    void the_schemas_accept_what_planning_accepts() {
        assertThat(errors(description().parameters(), parameters())).isEmpty();
        assertThat(errors(description().changes(), changes())).isEmpty();
        assertThat(errors(description().changes(), Map.of())).isEmpty();
    }

    @Test
    void a_schema_requires_the_parameters_that_planning_requires() {
        for (String name : described(parameters().keySet())) {
            Map<String, @Nullable Object> fewer = new HashMap<>(parameters());
            fewer.remove(name);
            Plan plan = planning().plan(completed(withDefaults(fewer)));
            assertThat(errors(description().parameters(), fewer).isEmpty())
                    .as("without %s, which plans %s", name, plan)
                    .isEqualTo(plan instanceof Plan.Planned);
        }
    }

    @Test
    void a_schema_refuses_unknown_parameters() {
        Map<String, @Nullable Object> more = new HashMap<>(parameters());
        more.put(UNKNOWN, 1);
        boolean free = !description().hasSchema();

        assertThat(errors(description().parameters(), more).isEmpty()).isEqualTo(free);
        assertThat(errors(description().changes(), Map.of(UNKNOWN, 1)).isEmpty()).isEqualTo(free);
    }

    @Test
    void a_schema_has_the_names_of_planned_parameters() {
        Set<String> planned = new TreeSet<>(planned(completed(parameters())).parameters().keySet());
        planned.removeAll(
                plugin().requestCompleter()
                        .map(RequestCompleter::addedParameters)
                        .orElse(Set.of()));

        assertThat(description().parameterNames()).isIn(Set.of(), planned);
        assertThat(properties(description().changes()).keySet())
                .isSubsetOf(description().parameterNames());
    }

    @Test
    void a_schema_has_the_limits_that_planning_enforces() {
        Map<String, @Nullable Object> valid = completed(withDefaults(parameters()));
        properties(description().parameters())
                .forEach(
                        (name, schema) -> {
                            for (Object value : boundaries(schema)) {
                                Map<String, @Nullable Object> sent = new HashMap<>(parameters());
                                sent.put(name, value);
                                Map<String, @Nullable Object> complete = new HashMap<>(valid);
                                complete.put(name, value);
                                boolean refused =
                                        planning().plan(complete)
                                                        instanceof Plan.Invalid(String field, _)
                                                && field.equals(name);
                                assertThat(errors(description().parameters(), sent).isEmpty())
                                        .as("%s = %s", name, shortened(value))
                                        .isNotEqualTo(refused);
                            }
                        });
    }

    @Test
    void a_change_has_the_limits_of_a_new_reservation() {
        Map<String, JsonNode> all = properties(description().parameters());

        properties(description().changes())
                .forEach((name, schema) -> assertThat(schema).as(name).isEqualTo(all.get(name)));
    }

    @Test
    void the_description_names_the_resources_that_planning_demands() {
        Set<ResourceUse> demanded =
                planned(completed(parameters())).demands().stream()
                        .map(need -> new ResourceUse(need.kind(), need instanceof Demand.Whole))
                        .collect(toSet());

        if (description().hasSchema()) {
            assertThat(description().resources()).containsAll(demanded);
        }
    }

    /** Returns values at the limits of a schema, and just beyond. */
    private static List<Object> boundaries(JsonNode schema) {
        List<Object> values = new ArrayList<>();
        if (schema.has("minimum")) {
            values.add(schema.path("minimum").asInt());
            values.add(schema.path("minimum").asInt() - 1);
        }
        if (schema.has("maximum")) {
            values.add(schema.path("maximum").asInt());
            values.add(schema.path("maximum").asInt() + 1);
        }
        if (schema.has("minLength")) {
            values.add("x".repeat(schema.path("minLength").asInt()));
            values.add("x".repeat(Math.max(0, schema.path("minLength").asInt() - 1)));
        }
        if (schema.has("maxLength")) {
            values.add("x".repeat(schema.path("maxLength").asInt()));
            values.add("x".repeat(schema.path("maxLength").asInt() + 1));
        }
        if (schema.has("pattern")) {
            values.addAll(List.of(" ", "/", "..", "reservation:x"));
        }
        if (schema.path("format").asString("").equals("uuid")) {
            values.add("no-uuid");
        }
        if (schema.has("enum") && schema.path("type").isString()) {
            schema.path("enum").forEach(word -> values.add(word.asString()));
            values.add("no such word");
        }
        if (schema.path("type").asString("").equals("boolean")) {
            values.addAll(List.of(true, false));
        }
        return values;
    }

    private static String shortened(Object value) {
        String text = value.toString();
        return text.length() <= 100 ? text : text.length() + " characters";
    }

    /** Adds defaults as the engine does. */
    private Map<String, @Nullable Object> withDefaults(Map<String, @Nullable Object> given) {
        Map<String, @Nullable Object> complete = new HashMap<>(given);
        planning().defaults().forEach(complete::putIfAbsent);
        return complete;
    }

    private Set<String> described(Set<String> names) {
        Set<String> known = new TreeSet<>(names);
        known.retainAll(description().parameterNames());
        return known;
    }

    private static Map<String, JsonNode> properties(Map<String, Object> schema) {
        Map<String, JsonNode> properties = new HashMap<>();
        tree(schema)
                .path("properties")
                .properties()
                .forEach(field -> properties.put(field.getKey(), field.getValue()));
        return properties;
    }

    private static List<Error> errors(
            Map<String, Object> schema, Map<String, @Nullable Object> value) {
        return SCHEMAS.getSchema(tree(schema))
                .validate(
                        tree(value),
                        context ->
                                context.executionConfig(
                                        config -> config.formatAssertionsEnabled(true)));
    }

    private static JsonNode tree(Map<String, ?> json) {
        return JSON.valueToTree(json);
    }

    private KindDescription description() {
        return planning().description();
    }

    private Planning planning() {
        return plugin().planning();
    }

    private Plan.Planned planned(Map<String, @Nullable Object> parameters) {
        Plan plan = planning().plan(parameters);
        assertThat(plan).isInstanceOf(Plan.Planned.class);
        return (Plan.Planned) plan;
    }
}
