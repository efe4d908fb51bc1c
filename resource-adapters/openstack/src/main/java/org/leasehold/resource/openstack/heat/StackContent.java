package org.leasehold.resource.openstack.heat;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The content of a stack, as Heat stores it.
 *
 * @param environment the values of parameters are in it, too
 * @param files texts by name
 */
public record StackContent(JsonNode template, JsonNode environment, JsonNode files) {

    private static final String PARAMETERS = "parameters";

    private static final String DEFAULTS = "parameter_defaults";

    /** The key of the types of single resources. */
    private static final String SINGLE = "resources";

    /** The names of values that Heat stores in another form. */
    private static final String ENCRYPTED = "encrypted_param_names";

    /** Heat's text instead of a hidden value. */
    private static final String HIDDEN = "******";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * Returns whether it is the content of a request. Values of parameters that Heat hides are not
     * compared.
     *
     * @param request the template and what belongs to it, as Heat accepts them
     */
    public boolean matches(Map<String, Object> request) {
        JsonNode requested = JSON.valueToTree(request);
        return hasTemplate(request)
                && hasValues(requested)
                && isSame(
                        object(environment.path(DEFAULTS)),
                        object(requested.path("environment").path(DEFAULTS)))
                && types(environment).equals(types(requested.path("environment")));
    }

    /**
     * Returns whether it has the template and the files of a request: Heat does not change them.
     */
    public boolean hasTemplate(Map<String, Object> request) {
        JsonNode requested = JSON.valueToTree(request);
        return isEqual(template, requested.path("template"))
                && isEqual(object(files), object(requested.path("files")));
    }

    /** Compares the values of parameters; the request's own precede those of its environment. */
    private boolean hasValues(JsonNode requested) {
        ObjectNode expected = object(requested.path("environment").path(PARAMETERS));
        expected.setAll(object(requested.path(PARAMETERS)));
        return isSame(object(environment.path(PARAMETERS)), expected);
    }

    /** Compares values by name. Of those that Heat hides, only the names. */
    private boolean isSame(ObjectNode found, ObjectNode expected) {
        List<String> hidden = new ArrayList<>();
        environment.path(ENCRYPTED).forEach(name -> hidden.add(name.asString("")));
        found.forEachEntry(
                (name, value) -> {
                    if (value.asString("").equals(HIDDEN)) {
                        hidden.add(name);
                    }
                });
        Set<String> names = new HashSet<>(found.propertyNames());
        return names.equals(Set.copyOf(expected.propertyNames()))
                && isEqual(found.remove(hidden), expected.remove(hidden));
    }

    /** Returns the files of types. Heat adds an empty object for single resources. */
    private static ObjectNode types(JsonNode environment) {
        ObjectNode types = object(environment.path("resource_registry"));
        if (types.path(SINGLE).isEmpty()) {
            types.remove(SINGLE);
        }
        return types;
    }

    private static ObjectNode object(JsonNode node) {
        ObjectNode object = JSON.createObjectNode();
        return node.isObject() ? object.setAll((ObjectNode) node) : object;
    }

    /** Compares with Heat's form of numbers: it returns 1.50 as 1.5. */
    private static boolean isEqual(JsonNode one, JsonNode other) {
        return one.equals(
                (left, right) ->
                        left.isNumber() && right.isNumber()
                                ? Double.compare(left.asDouble(), right.asDouble())
                                : left.equals(right) ? 0 : 1,
                other);
    }
}
