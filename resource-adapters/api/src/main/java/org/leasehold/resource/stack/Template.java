package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.server.ComputeCapacity;
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
 * A Heat template with its parameters, environment and files. An end policy in a resource's
 * metadata, {@code leasehold: {on_end: keep}}, becomes its deletion policy. Heat obeys that in
 * every deletion of the stack. Servers that name no zone are created where there is room for them.
 */
public final class Template {

    /** The end policies of resources, with Heat's names for them. */
    private static final Map<String, String> POLICIES =
            Map.of("delete", "Delete", "keep", "Retain", "snapshot", "Snapshot");

    /** The fields of a request that belong to a template. */
    private static final List<String> FIELDS =
            List.of(
                    StackPlanning.TEMPLATE,
                    StackPlanning.PARAMETERS,
                    StackPlanning.ENVIRONMENT,
                    StackPlanning.FILES);

    /** The fields that may be a text, while Heat expects an object. */
    private static final Set<String> TEXT_FIELDS =
            Set.of(StackPlanning.TEMPLATE, StackPlanning.ENVIRONMENT);

    private Template() {}

    /** Returns the body of Heat's request to preview the stack of a request. */
    public static Map<String, Object> request(Map<String, @Nullable Object> wish) {
        return request(wish, (_, resource, dialect) -> withPolicy(resource, dialect));
    }

    /** Returns the body of Heat's request to create the stack of a reservation, or to change it. */
    public static Map<String, Object> request(Assignment assignment) {
        Change placing = placementChange(assignment);
        return request(
                assignment.parameters(),
                (name, resource, dialect) ->
                        withPolicy(placing.apply(name, resource, dialect), dialect));
    }

    /**
     * Returns the same body without the template's own deletion policies. A creation that fails
     * half-way must leave nothing.
     */
    public static Map<String, Object> requestWithoutPolicies(Assignment assignment) {
        Change placing = placementChange(assignment);
        return request(
                assignment.parameters(),
                (name, resource, dialect) -> {
                    Map<Object, @Nullable Object> changed =
                            new LinkedHashMap<>(placing.apply(name, resource, dialect));
                    changed.remove(dialect.policy);
                    return changed;
                });
    }

    private static Map<String, Object> request(Map<String, @Nullable Object> wish, Change change) {
        Map<String, Object> request = new LinkedHashMap<>();
        for (String field : FIELDS) {
            Object value = wish.get(field);
            if (value != null) {
                request.put(field, TEXT_FIELDS.contains(field) ? read(value) : value);
            }
        }
        if (request.get(StackPlanning.TEMPLATE) instanceof Map<?, ?> template) {
            request.put(StackPlanning.TEMPLATE, applyChange(template, change));
        }
        return request;
    }

    /** Returns unreadable text unchanged: Heat rejects it. */
    private static Object read(Object said) {
        return TemplateParser.parseObject(said).<Object>map(object -> object).orElse(said);
    }

    /** A change of one resource of a template. */
    @FunctionalInterface
    private interface Change {

        Map<?, ?> apply(String name, Map<?, ?> resource, Dialect dialect);
    }

    private static Map<?, ?> applyChange(Map<?, ?> template, Change change) {
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
                                        ? change.apply(String.valueOf(name), fields, dialect)
                                        : resource));
        return withField(template, dialect.resources, all);
    }

    /** Returns a resource with the deletion policy that its metadata requests, if any. */
    static Map<?, ?> withPolicy(Map<?, ?> resource, Dialect dialect) {
        Object said = PreviewedResource.onEnd(resource.get(dialect.metadata));
        String policy = said instanceof String word ? POLICIES.get(word) : null;
        return policy == null ? resource : withField(resource, dialect.policy, policy);
    }

    private static Map<?, ?> withField(Map<?, ?> fields, String name, Object value) {
        Map<Object, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put(name, value);
        return changed;
    }

    /** Returns a change that puts servers without a zone into the zone where they are counted. */
    private static Change placementChange(Assignment assignment) {
        List<StackComponent> parts = StackPlanning.parts(assignment.parameters());
        Map<?, ?> resources = resources(assignment.parameters().get(StackPlanning.TEMPLATE));
        Set<String> anywhere =
                parts.stream()
                        .filter(StackComponent::isAnywhere)
                        .flatMap(part -> owner(resources, part).stream())
                        .collect(Collectors.toSet());
        Optional<String> zone = CapacityNeed.zone(parts).or(() -> zone(assignment));
        return (name, resource, dialect) ->
                zone.isPresent() && anywhere.contains(name)
                        ? withZone(resource, dialect, zone.get())
                        : resource;
    }

    /** Returns the zone of the assignment: only a zone has this property. */
    private static Optional<String> zone(Assignment assignment) {
        return assignment.resources().stream()
                .flatMap(held -> Stream.ofNullable(held.properties().get(ComputeCapacity.ZONE)))
                .findFirst();
    }

    /** Returns the template's own resource that a part is, or that creates it. */
    static Optional<String> owner(Map<?, ?> resources, StackComponent part) {
        return resources.keySet().stream()
                .map(String::valueOf)
                .filter(name -> part.name().matches(Pattern.quote(name) + "([.-].*)?"))
                .max(Comparator.comparingInt(String::length));
    }

    private static Map<?, ?> withZone(Map<?, ?> resource, Dialect dialect, String zone) {
        Map<?, ?> properties = map(resource.get(dialect.properties));
        String type = String.valueOf(resource.get(dialect.type));
        String repeated = HeatResourceTypes.REPEATED_PROPERTIES.get(type);
        if (repeated != null) {
            Map<?, ?> one = withZone(map(properties.get(repeated)), Dialect.HOT, zone);
            return withField(resource, dialect.properties, withField(properties, repeated, one));
        }
        return type.equals(HeatResourceTypes.SERVER)
                ? withField(
                        resource,
                        dialect.properties,
                        withField(properties, ComputeCapacity.ZONE, zone))
                : resource;
    }

    /** Returns the resources of a template by name; none for one that is unreadable. */
    static Map<?, ?> resources(@Nullable Object said) {
        return TemplateParser.parseObject(said)
                .<Map<?, ?>>map(template -> map(template.get(Dialect.of(template).resources)))
                .orElse(Map.of());
    }

    /** Returns a value that is a map; an empty map for any other. */
    static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    /**
     * Returns why the template cannot be leased as it is; empty if it can.
     *
     * @param found the result of a preview
     */
    static Optional<String> validate(@Nullable Object template, Search.Found found) {
        Map<?, ?> resources = resources(template);
        return found.parts().stream()
                .filter(StackComponent::isAnywhere)
                .filter(part -> !canBePlaced(resources, part))
                .findFirst()
                .map(
                        part ->
                                ("The resource %s (%s) names no availability_zone; only resources"
                                                + " of the template's own need none")
                                        .formatted(part.name(), part.type()))
                .or(() -> validatePolicies(resources, found.policies()));
    }

    private static boolean canBePlaced(Map<?, ?> resources, StackComponent part) {
        return owner(resources, part)
                .map(name -> map(resources.get(name)))
                .filter(
                        resource ->
                                Stream.of(Dialect.values())
                                        .anyMatch(dialect -> isPlaced(resource, dialect)))
                .isPresent();
    }

    private static boolean isPlaced(Map<?, ?> resource, Dialect dialect) {
        return !withZone(resource, dialect, "anywhere").equals(resource);
    }

    /** Returns why the end policies of resources cannot be applied. */
    private static Optional<String> validatePolicies(
            Map<?, ?> resources, Map<String, String> policies) {
        return policies.entrySet().stream()
                .filter(said -> !isLiteralPolicy(resources, said.getKey(), said.getValue()))
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

    /** Returns whether a policy is known, and is at this resource of the template literally. */
    private static boolean isLiteralPolicy(Map<?, ?> resources, String name, String word) {
        return POLICIES.containsKey(word)
                && Stream.of(Dialect.values())
                        .map(dialect -> map(resources.get(name)).get(dialect.metadata))
                        .anyMatch(metadata -> word.equals(PreviewedResource.onEnd(metadata)));
    }

    /** The field names of a template: Heat's own, or those of CloudFormation. */
    enum Dialect {
        HOT("parameters", "resources", "type", "properties", "metadata", "deletion_policy"),
        CFN("Parameters", "Resources", "Type", "Properties", "Metadata", "DeletionPolicy");

        final String parameters;
        final String resources;
        final String type;
        final String properties;
        private final String metadata;
        final String policy;

        Dialect(
                String parameters,
                String resources,
                String type,
                String properties,
                String metadata,
                String policy) {
            this.parameters = parameters;
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
