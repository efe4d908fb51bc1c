package org.leasehold.resource.simulator.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.IntegerParameter;
import org.leasehold.resource.stack.PreviewedResource;
import org.leasehold.resource.stack.StackPlanning;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A template in the subset of Heat's language that the simulated cloud needs: parameters with
 * defaults, {@code get_param}, and groups of resources.
 */
public final class SimulatedTemplate {

    private static final String GROUP = "OS::Heat::ResourceGroup";
    private static final String DELETION = "deletion_policy";
    private static final int MAX_RESOURCES = 1_000;

    private final Map<?, ?> template;
    private final Map<?, ?> values;
    private final List<PreviewedResource> elements = new ArrayList<>();
    private int visitedResources;

    private SimulatedTemplate(Map<?, ?> template, Map<?, ?> values) {
        this.template = template;
        this.values = values;
        asMap(template.get("resources"))
                .forEach((name, resource) -> add(String.valueOf(name), asMap(resource)));
    }

    /**
     * Reads the template of a request.
     *
     * @throws IllegalArgumentException if it is invalid; names the error
     */
    public static SimulatedTemplate of(Map<String, ?> wish) {
        if (!(wish.get(StackPlanning.TEMPLATE) instanceof Map<?, ?> template)) {
            throw new IllegalArgumentException("That is no template");
        }
        return new SimulatedTemplate(template, asMap(wish.get(StackPlanning.PARAMETERS)));
    }

    /** Returns all resources that it creates, without the groups themselves. */
    public List<PreviewedResource> elements() {
        return List.copyOf(elements);
    }

    /** Returns the deletion policies of the template's own resources, by name. */
    Map<String, String> policies() {
        Map<String, String> policies = new LinkedHashMap<>();
        asMap(template.get("resources"))
                .forEach(
                        (name, resource) -> {
                            if (asMap(resource).get(DELETION) instanceof String policy) {
                                policies.put(String.valueOf(name), policy);
                            }
                        });
        return policies;
    }

    private void add(String name, Map<?, ?> resource) {
        visitedResources++;
        if (visitedResources > MAX_RESOURCES) {
            throw new IllegalArgumentException("Maximum resources per stack exceeded.");
        }
        String type = String.valueOf(resource.get("type"));
        Map<String, @Nullable Object> properties = resolveAll(asMap(resource.get("properties")));
        if (type.equals(GROUP)) {
            Map<?, ?> one = asMap(properties.get("resource_def"));
            for (int index = 0; index < size(name, properties); index++) {
                add(name + "." + index, one);
            }
        } else if (type.equals("null")) {
            throw new IllegalArgumentException("The resource " + name + " has no type");
        } else {
            elements.add(
                    new PreviewedResource(
                            name, type, properties, resolveAll(asMap(resource.get("metadata")))));
        }
    }

    private static int size(String name, Map<String, @Nullable Object> properties) {
        return IntegerParameter.of(properties.get("count"))
                .map(count -> count.intValue())
                .filter(count -> count >= 0 && count <= MAX_RESOURCES)
                .orElseThrow(
                        () -> new IllegalArgumentException("The group " + name + " has no size"));
    }

    private Map<String, @Nullable Object> resolveAll(Map<?, ?> properties) {
        Map<String, @Nullable Object> resolved = new LinkedHashMap<>();
        properties.forEach(
                (name, value) -> resolved.put(String.valueOf(name), resolveValue(value)));
        return resolved;
    }

    private @Nullable Object resolveValue(@Nullable Object said) {
        if (said instanceof Map<?, ?> function && function.get("get_param") instanceof String of) {
            return parameter(of);
        }
        if (said instanceof Map<?, ?> fields) {
            return resolveAll(fields);
        }
        return said instanceof List<?> items
                // Not toList(), which does not accept nulls.
                ? items.stream().map(this::resolveValue).collect(Collectors.toList())
                : said;
    }

    private Object parameter(String name) {
        Map<?, ?> declared = asMap(template.get("parameters"));
        if (!declared.containsKey(name)) {
            throw new IllegalArgumentException(
                    "The Parameter (%s) was not defined in template.".formatted(name));
        }
        Object given = values.get(name);
        Object value = given == null ? asMap(declared.get(name)).get("default") : given;
        if (value == null) {
            throw new IllegalArgumentException(
                    "The Parameter (%s) was not provided.".formatted(name));
        }
        return value;
    }

    private static Map<?, ?> asMap(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}
