package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.instance.Flavor;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The flavor of a reservation's request. Blazar stores Nova's text of it in the column that holds a
 * filter for reservations of another kind.
 */
final class BlazarFlavor {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private BlazarFlavor() {}

    /** Returns the plug-in's parameters of such a reservation; empty if the text is no flavor. */
    static Optional<Map<String, @Nullable Object>> parameters(
            Map<String, @Nullable Object> ofBlazar) {
        JsonNode flavor;
        try {
            flavor = JSON.readTree(String.valueOf(ofBlazar.get("resource_properties")));
        } catch (JacksonException noJson) {
            return Optional.empty();
        }
        if (flavor == null || !flavor.path("id").isString()) {
            return Optional.empty();
        }
        Map<String, String> extraSpecs = new TreeMap<>();
        flavor.path("extra_specs")
                .properties()
                .forEach(each -> extraSpecs.put(each.getKey(), each.getValue().asString("")));
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("flavor_id", flavor.path("id").asString());
        parameters.put("amount", ofBlazar.get("amount"));
        parameters.put("affinity", null);
        parameters.put(
                "flavor",
                new Flavor(
                                flavor.path("id").asString(),
                                flavor.path("name").asString(""),
                                flavor.path("vcpus").asInt(0),
                                flavor.path("ram").asInt(0),
                                flavor.path("disk").asInt(0),
                                flavor.path("OS-FLV-EXT-DATA:ephemeral").asInt(0),
                                // Nova writes an empty text for none.
                                flavor.path("swap").asInt(0),
                                extraSpecs)
                        .parameters());
        return Optional.of(parameters);
    }
}
