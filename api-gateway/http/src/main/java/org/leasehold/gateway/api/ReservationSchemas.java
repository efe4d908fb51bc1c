package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.Schema;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.requirement.FilterSchema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The schemas of reservations in the OpenAPI document, from the plug-ins' descriptions. A new
 * reservation is one of the kinds, which the field {@code kind} selects. The last alternative is
 * for kinds without a schema; it excludes the others, so that a misspelt parameter does not match
 * it. A change names a reservation by id, and not the kind, so it matches any of the kinds.
 */
final class ReservationSchemas {

    /** The name of the schema of a new reservation: the alternatives, by kind. */
    static final String REQUEST = "ReservationRequest";

    private static final String OTHER = "OtherReservation";
    private static final String CHANGES = "ReservationParameterChanges";

    static final String REFERENCE = "#/components/schemas/";
    private static final String LOCAL_REFERENCE = "#/$defs/";
    private static final String DEFINITIONS = "$defs";
    private static final String DESCRIPTION = "description";
    private static final String KIND = "kind";

    private static final Pattern NO_WORD = Pattern.compile("[^A-Za-z0-9]+");

    private final Map<String, Object> schemas = new TreeMap<>();
    private final Set<String> taken;

    /** The first part of the names of each described kind's schemas, by kind. */
    private final Map<String, String> stems = new LinkedHashMap<>();

    private final Set<String> undescribed = new TreeSet<>();

    private ReservationSchemas(Collection<String> taken) {
        this.taken = new TreeSet<>(taken);
        this.taken.removeAll(List.of(REQUEST, OTHER, CHANGES));
    }

    /**
     * Returns the schemas by name.
     *
     * @param taken names of other schemas, which no plug-in replaces
     */
    static Map<String, Schema<?>> of(Plugins plugins, Collection<String> taken) {
        ReservationSchemas all = new ReservationSchemas(taken);
        // Other operations refer to filters, whatever the kinds are.
        all.schemas.putAll(filterDefinitions());
        for (String kind : ordered(plugins.kinds())) {
            plugins.find(new ResourceKind(kind))
                    .ifPresent(plugin -> all.add(kind, plugin.planning().description()));
        }
        all.addAlternatives();
        all.schemas.replaceAll(GeneratorForms::simplify);
        Map<String, Schema<?>> read = DescriptionFile.schemas(all.schemas);
        Discriminator discriminator = new OrderedDiscriminator();
        discriminator.setPropertyName(KIND);
        discriminator.setMapping(all.mapping());
        Objects.requireNonNull(read.get(REQUEST)).setDiscriminator(discriminator);
        return read;
    }

    /** Returns the schema of a filter, by its name. */
    static Map<String, Schema<?>> filters() {
        Map<String, Object> definitions = filterDefinitions();
        definitions.replaceAll(GeneratorForms::simplify);
        return DescriptionFile.schemas(definitions);
    }

    private static Map<String, Object> filterDefinitions() {
        return asComponents(FilterSchema.of("").definitions(), Map.of());
    }

    /** Returns hosts first, because readers and tools take the first alternative as an example. */
    private static Set<String> ordered(Set<String> kinds) {
        Set<String> ordered = new LinkedHashSet<>();
        if (kinds.contains(ResourceKind.PHYSICAL_HOST.value())) {
            ordered.add(ResourceKind.PHYSICAL_HOST.value());
        }
        ordered.addAll(kinds);
        return ordered;
    }

    private void add(String kind, KindDescription description) {
        if (!description.hasSchema()) {
            undescribed.add(kind);
            return;
        }
        String stem = freeStem(kind);
        stems.put(kind, stem);
        schemas.put(
                stem + "Parameters",
                component(stem, description.parameters(), "The parameters of " + kind + "."));
        schemas.put(
                stem + "ParameterChanges",
                component(
                        stem,
                        description.changes(),
                        "Changes of the parameters of " + kind + "; what is left out stays."));
        boolean optional = !description.parameters().containsKey("required");
        schemas.put(
                stem + "Reservation",
                reservation(
                        description.summary(),
                        Map.of("type", "string", "enum", List.of(kind)),
                        reference(stem + "Parameters"),
                        optional && !description.parameters().containsKey("if")));
    }

    /** Returns the words of a kind, as {@code PhysicalHost}, with a number if they are taken. */
    private String freeStem(String kind) {
        String words =
                SchemaNames.inPascalCase(
                        NO_WORD.splitAsStream(kind).filter(word -> !word.isEmpty()));
        String first = words.isEmpty() ? "Kind" : words;
        String stem = first;
        for (int number = 2; isTaken(stem); number++) {
            stem = first + number;
        }
        return stem;
    }

    private boolean isTaken(String stem) {
        List<String> names =
                List.of(
                        stem + "Parameters",
                        stem + "ParameterChanges",
                        stem + "Reservation",
                        stem + "AvailabilityQuestion");
        return names.stream()
                .anyMatch(
                        name ->
                                taken.contains(name)
                                        || schemas.containsKey(name)
                                        || List.of(REQUEST, OTHER, CHANGES).contains(name));
    }

    /** Returns a plug-in's schema as a component, and adds its definitions as components. */
    private Map<String, Object> component(
            String stem, Map<String, Object> schema, String description) {
        Map<String, Object> definitions = fields(schema.get(DEFINITIONS));
        Map<String, String> names = new LinkedHashMap<>();
        Map<String, Object> same = asComponents(definitions, names);
        boolean conflict =
                same.entrySet().stream()
                        .anyMatch(
                                each ->
                                        taken.contains(each.getKey())
                                                || !each.getValue()
                                                        .equals(
                                                                schemas.getOrDefault(
                                                                        each.getKey(),
                                                                        each.getValue())));
        if (conflict) {
            definitions.keySet().forEach(name -> names.put(name, stem + name));
        }
        schemas.putAll(asComponents(definitions, names));
        Map<String, Object> component = fields(rewritten(schema, names));
        component.remove(DEFINITIONS);
        component.remove("$schema");
        component.putIfAbsent(DESCRIPTION, description);
        return component;
    }

    private static Map<String, Object> asComponents(
            Map<String, Object> definitions, Map<String, String> names) {
        Map<String, Object> renamed = new LinkedHashMap<>();
        definitions.forEach(
                (name, schema) ->
                        renamed.put(names.getOrDefault(name, name), rewritten(schema, names)));
        return renamed;
    }

    /** Returns a schema whose references are to components. */
    private static Object rewritten(Object schema, Map<String, String> names) {
        return switch (schema) {
            case Map<?, ?> fields -> {
                Map<String, Object> all = new LinkedHashMap<>();
                fields.forEach((key, value) -> all.put(String.valueOf(key), value));
                all.replaceAll((_, value) -> value == null ? value : rewritten(value, names));
                yield all;
            }
            case List<?> items -> {
                List<Object> all = new ArrayList<>();
                items.forEach(item -> all.add(item == null ? item : rewritten(item, names)));
                yield all;
            }
            case String text when text.startsWith(LOCAL_REFERENCE) -> {
                String name = text.substring(LOCAL_REFERENCE.length());
                yield REFERENCE + names.getOrDefault(name, name);
            }
            default -> schema;
        };
    }

    private void addAlternatives() {
        schemas.put(
                OTHER,
                reservation(
                        "A reservation of a kind that has no schema here.",
                        otherKind(),
                        freeParameters(),
                        true));
        List<Object> reservations = new ArrayList<>();
        List<Object> changes = new ArrayList<>();
        stems.forEach(
                (_, stem) -> {
                    reservations.add(reference(stem + "Reservation"));
                    changes.add(reference(stem + "ParameterChanges"));
                });
        reservations.add(reference(OTHER));
        changes.add(freeParameters());
        Map<String, Object> union = new LinkedHashMap<>();
        union.put(DESCRIPTION, "A request for one kind of resource.");
        union.put("oneOf", reservations);
        schemas.put(REQUEST, union);
        Map<String, Object> change = new LinkedHashMap<>();
        change.put(DESCRIPTION, "Changes of the parameters of a kind of reservation.");
        change.put("anyOf", changes);
        schemas.put(CHANGES, change);
    }

    /** Returns the name of the alternative of each kind. */
    private Map<String, String> mapping() {
        Map<String, String> mapping = new TreeMap<>();
        stems.forEach((kind, stem) -> mapping.put(kind, REFERENCE + stem + "Reservation"));
        undescribed.forEach(kind -> mapping.put(kind, REFERENCE + OTHER));
        return mapping;
    }

    private Map<String, Object> otherKind() {
        Map<String, Object> kind = new LinkedHashMap<>();
        kind.put("type", "string");
        kind.put("minLength", 1);
        kind.put("maxLength", 64);
        kind.put("not", Map.of("enum", List.copyOf(stems.keySet())));
        return kind;
    }

    private static Map<String, Object> freeParameters() {
        Map<String, Object> free = new LinkedHashMap<>();
        free.put("type", "object");
        free.put("additionalProperties", true);
        free.put(DESCRIPTION, "Parameters of a kind that has no schema here.");
        return free;
    }

    private static Map<String, Object> reservation(
            String description,
            Map<String, Object> kind,
            Map<String, Object> parameters,
            boolean optional) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(KIND, kind);
        properties.put("parameters", parameters);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(DESCRIPTION, description);
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", optional ? List.of(KIND) : List.of(KIND, "parameters"));
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, Object> reference(String name) {
        return Map.of("$ref", REFERENCE + name);
    }

    private static Map<String, Object> fields(@Nullable Object object) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (object instanceof Map<?, ?> map) {
            map.forEach((name, value) -> fields.put(String.valueOf(name), value));
        }
        return fields;
    }

    /** A discriminator with an order of its fields, which differs between runs otherwise. */
    @JsonPropertyOrder({"mapping", "propertyName"})
    static final class OrderedDiscriminator extends Discriminator {}
}
