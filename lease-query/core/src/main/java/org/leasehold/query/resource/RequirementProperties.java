package org.leasehold.query.resource;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;

/** The properties of resources that requirements compare: with region and zone. */
public final class RequirementProperties {

    private RequirementProperties() {}

    /** Returns the properties with region and zone, by the names that each API shows. */
    public static Map<String, String> of(
            @Nullable String region, @Nullable String zone, Map<String, String> others) {
        Map<String, String> properties = new TreeMap<>();
        if (region != null) {
            properties.put("region", region);
        }
        if (zone != null) {
            properties.put("zone", zone);
            properties.put("availability_zone", zone);
        }
        properties.putAll(others);
        return properties;
    }
}
