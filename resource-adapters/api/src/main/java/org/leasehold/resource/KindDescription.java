package org.leasehold.resource;

import org.leasehold.inventory.ResourceKind;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The description of a kind, from which clients build forms and programs. The schemas are JSON
 * Schemas (2020-12) in JSON values; {@link org.leasehold.resource.parameter.ObjectSchema} builds
 * them. They refer to their own {@code $defs} only.
 *
 * @param summary one sentence
 * @param resources the resources that a reservation uses; empty if the plug-in does not say
 * @param parameters the schema of the parameters of a new reservation
 * @param changes the schema of the parameters of a change
 */
public record KindDescription(
        String summary,
        List<ResourceUse> resources,
        Map<String, Object> parameters,
        Map<String, Object> changes) {

    private static final String PROPERTIES = "properties";

    private static final Map<String, Object> FREE_OBJECT = Map.of("type", "object");

    public KindDescription {
        resources = List.copyOf(resources);
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
    }

    /** Returns the description of a kind whose parameters only its plug-in knows. */
    public static KindDescription withoutSchema(String plural) {
        return new KindDescription(
                "Reservations of " + plural + ".", List.of(), FREE_OBJECT, FREE_OBJECT);
    }

    /** Returns whether the schemas name the parameters. */
    public boolean hasSchema() {
        return parameters.containsKey(PROPERTIES);
    }

    /** Returns the names of the parameters of a new reservation; empty without a schema. */
    public Set<String> parameterNames() {
        Set<String> names = new TreeSet<>();
        if (parameters.get(PROPERTIES) instanceof Map<?, ?> properties) {
            properties.keySet().forEach(name -> names.add(String.valueOf(name)));
        }
        return names;
    }

    /** Returns whether a change can set a parameter; true for each one without a schema. */
    public boolean canChange(String parameter) {
        return !(changes.get(PROPERTIES) instanceof Map<?, ?> properties)
                || properties.containsKey(parameter);
    }

    /**
     * The resources of one kind that a reservation uses.
     *
     * @param whole whether it has each resource for itself, or a part that it shares
     */
    public record ResourceUse(ResourceKind kind, boolean whole) {

        public static ResourceUse whole(ResourceKind kind) {
            return new ResourceUse(kind, true);
        }

        public static ResourceUse part(ResourceKind kind) {
            return new ResourceUse(kind, false);
        }
    }
}
