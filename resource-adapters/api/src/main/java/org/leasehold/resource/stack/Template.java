package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.server.Room;
import org.leasehold.resource.stack.Stacks.Search;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A template of Heat's, and what is said with it. What its resources say in their metadata of their
 * own end, {@code leasehold: {on_end: keep}}, becomes their deletion policy: Heat acts by that, who
 * ever deletes the stack. Servers that name no zone are made where there is room for them.
 */
public final class Template {

    /** What resources may say, and Heat's words for it. */
    private static final Map<String, String> POLICIES =
            Map.of("delete", "Delete", "keep", "Retain", "snapshot", "Snapshot");

    /** What goes with a template into a request. */
    private static final List<String> FIELDS =
            List.of(
                    StackPlanning.TEMPLATE,
                    StackPlanning.PARAMETERS,
                    StackPlanning.ENVIRONMENT,
                    StackPlanning.FILES);

    /** What may be a text, and is an object to Heat all the same. */
    private static final Set<String> TEXTS =
            Set.of(StackPlanning.TEMPLATE, StackPlanning.ENVIRONMENT);

    private Template() {}

    /** What Heat is asked with to preview the stack of a wish. */
    public static Map<String, Object> request(Map<String, @Nullable Object> wish) {
        return request(wish, (_, resource, dialect) -> withPolicy(resource, dialect));
    }

    /** What Heat is asked with to make the stack of a reservation, or to change it. */
    public static Map<String, Object> request(Assignment assignment) {
        Change placing = placing(assignment);
        return request(
                assignment.parameters(),
                (name, resource, dialect) ->
                        withPolicy(placing.of(name, resource, dialect), dialect));
    }

    /**
     * The same, but that nothing outlives the stack, as far as the template itself has a say in it:
     * what fails half-way is to leave nothing.
     */
    public static Map<String, Object> passing(Assignment assignment) {
        Change placing = placing(assignment);
        return request(
                assignment.parameters(),
                (name, resource, dialect) -> {
                    Map<Object, @Nullable Object> changed =
                            new LinkedHashMap<>(placing.of(name, resource, dialect));
                    changed.remove(dialect.policy);
                    return changed;
                });
    }

    private static Map<String, Object> request(Map<String, @Nullable Object> wish, Change change) {
        Map<String, Object> request = new LinkedHashMap<>();
        for (String field : FIELDS) {
            Object value = wish.get(field);
            if (value != null) {
                request.put(field, TEXTS.contains(field) ? read(value) : value);
            }
        }
        if (request.get(StackPlanning.TEMPLATE) instanceof Map<?, ?> template) {
            request.put(StackPlanning.TEMPLATE, changed(template, change));
        }
        return request;
    }

    /** What cannot be read is Heat's to refuse. */
    private static Object read(Object said) {
        return TemplateText.object(said).<Object>map(object -> object).orElse(said);
    }

    /** Makes something else of a template's resource. */
    @FunctionalInterface
    private interface Change {

        Map<?, ?> of(String name, Map<?, ?> resource, Dialect dialect);
    }

    private static Map<?, ?> changed(Map<?, ?> template, Change change) {
        Dialect dialect = Dialect.of(template);
        if (!(template.get(dialect.resources) instanceof Map<?, ?> resources)) {
            return template;
        }
        Map<Object, @Nullable Object> all = new LinkedHashMap<>();
        resources.forEach(
                (name, resource) ->
                        all.put(
                                name,
                                resource instanceof Map<?, ?> fields
                                        ? change.of(String.valueOf(name), fields, dialect)
                                        : resource));
        return with(template, dialect.resources, all);
    }

    private static Map<?, ?> withPolicy(Map<?, ?> resource, Dialect dialect) {
        Object said = Element.onEnd(resource.get(dialect.metadata));
        String policy = said instanceof String word ? POLICIES.get(word) : null;
        return policy == null ? resource : with(resource, dialect.policy, policy);
    }

    private static Map<?, ?> with(Map<?, ?> fields, String name, Object value) {
        Map<Object, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put(name, value);
        return changed;
    }

    /** Has servers that name no zone made where they are counted. */
    private static Change placing(Assignment assignment) {
        List<Part> parts = StackPlanning.parts(assignment.parameters());
        Map<?, ?> resources = resources(assignment.parameters().get(StackPlanning.TEMPLATE));
        Set<String> anywhere =
                parts.stream()
                        .filter(Part::isAnywhere)
                        .flatMap(part -> owner(resources, part).stream())
                        .collect(Collectors.toSet());
        Optional<String> zone = Need.zone(parts).or(() -> zone(assignment));
        return (name, resource, dialect) ->
                zone.isPresent() && anywhere.contains(name)
                        ? placed(resource, dialect, zone.get())
                        : resource;
    }

    /** Of all that a stack holds only zones have one. */
    private static Optional<String> zone(Assignment assignment) {
        return assignment.resources().stream()
                .flatMap(held -> Stream.ofNullable(held.properties().get(Room.ZONE)))
                .findFirst();
    }

    /** The resource of the template's own that a part is, or is made by. */
    private static Optional<String> owner(Map<?, ?> resources, Part part) {
        return resources.keySet().stream()
                .map(String::valueOf)
                .filter(name -> part.name().matches(Pattern.quote(name) + "([.-].*)?"))
                .max(Comparator.comparingInt(String::length));
    }

    private static Map<?, ?> placed(Map<?, ?> resource, Dialect dialect, String zone) {
        Map<?, ?> properties = map(resource.get(dialect.properties));
        String type = String.valueOf(resource.get(dialect.type));
        String repeated = ResourceTypes.REPEATED.get(type);
        if (repeated != null) {
            Map<?, ?> one = placed(map(properties.get(repeated)), Dialect.HOT, zone);
            return with(resource, dialect.properties, with(properties, repeated, one));
        }
        return type.equals(ResourceTypes.SERVER)
                ? with(resource, dialect.properties, with(properties, Room.ZONE, zone))
                : resource;
    }

    private static Map<?, ?> resources(@Nullable Object said) {
        return TemplateText.object(said)
                .<Map<?, ?>>map(template -> map(template.get(Dialect.of(template).resources)))
                .orElse(Map.of());
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    /**
     * Why what a template makes cannot be leased as it says; empty if it can.
     *
     * @param found what a preview has shown
     */
    static Optional<String> misfit(@Nullable Object template, Search.Found found) {
        Map<?, ?> resources = resources(template);
        return found.parts().stream()
                .filter(Part::isAnywhere)
                .filter(part -> !canBePlaced(resources, part))
                .findFirst()
                .map(
                        part ->
                                ("The resource %s (%s) names no availability_zone; only resources"
                                                + " of the template's own need none")
                                        .formatted(part.name(), part.type()))
                .or(() -> unclear(resources, found.policies()));
    }

    private static boolean canBePlaced(Map<?, ?> resources, Part part) {
        return owner(resources, part)
                .map(name -> map(resources.get(name)))
                .filter(
                        resource ->
                                Stream.of(Dialect.values())
                                        .anyMatch(dialect -> isPlaced(resource, dialect)))
                .isPresent();
    }

    private static boolean isPlaced(Map<?, ?> resource, Dialect dialect) {
        return !placed(resource, dialect, "anywhere").equals(resource);
    }

    /** Why what resources say of their end cannot be done. */
    private static Optional<String> unclear(Map<?, ?> resources, Map<String, String> policies) {
        return policies.entrySet().stream()
                .filter(said -> !isClear(resources, said.getKey(), said.getValue()))
                .findFirst()
                .map(
                        said ->
                                POLICIES.containsKey(said.getValue())
                                        ? ("The resource %s says on_end in its metadata, which only"
                                               + " resources of the template's own can; give it a"
                                               + " deletion policy")
                                                .formatted(said.getKey())
                                        : "The resource %s says on_end: %s, not one of %s"
                                                .formatted(
                                                        said.getKey(),
                                                        said.getValue(),
                                                        "delete, keep, snapshot"));
    }

    /** Whether it is found where it is said, in these very words. */
    private static boolean isClear(Map<?, ?> resources, String name, String word) {
        return POLICIES.containsKey(word)
                && Stream.of(Dialect.values())
                        .map(dialect -> map(resources.get(name)).get(dialect.metadata))
                        .anyMatch(metadata -> word.equals(Element.onEnd(metadata)));
    }

    /** How a template calls what is looked at: Heat's own words, or those of CloudFormation. */
    enum Dialect {
        HOT("resources", "type", "properties", "metadata", "deletion_policy"),
        CFN("Resources", "Type", "Properties", "Metadata", "DeletionPolicy");

        final String resources;
        final String type;
        final String properties;
        private final String metadata;
        private final String policy;

        Dialect(String resources, String type, String properties, String metadata, String policy) {
            this.resources = resources;
            this.type = type;
            this.properties = properties;
            this.metadata = metadata;
            this.policy = policy;
        }

        static Dialect of(Map<?, ?> template) {
            return template.containsKey(CFN.resources) ? CFN : HOT;
        }
    }
}
