package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The properties that every resource has beside its attributes and capabilities. Filters can use
 * every field of a resource that an API shows.
 */
public final class BuiltInProperties {

    private static final Set<String> NAMES =
            Set.of(
                    "id",
                    "kind",
                    "name",
                    "reservable",
                    "status",
                    "disabled_reason",
                    "trust_id",
                    "region",
                    "zone",
                    "availability_zone");

    /** Blazar's text for a field without a value, which filters compare with. */
    private static final String NO_VALUE = "null";

    private BuiltInProperties() {}

    /**
     * Returns the built-in properties by name, as texts. Attributes and capabilities of the same
     * name replace them.
     *
     * <p>{@code reservable} is always true here: filters choose among resources in service only.
     *
     * @param region the region; null if the resource has none, and then no comparison with it holds
     * @param zone the zone; null as for the region
     */
    public static Map<String, String> of(
            ResourceKind kind,
            ResourceId id,
            String name,
            @Nullable String region,
            @Nullable String zone) {
        Map<String, String> properties = new TreeMap<>();
        properties.put("id", id.toString());
        properties.put("kind", kind.value());
        properties.put("name", name);
        properties.put("reservable", "True");
        properties.put("status", NO_VALUE);
        properties.put("disabled_reason", NO_VALUE);
        properties.put("trust_id", NO_VALUE);
        if (region != null) {
            properties.put("region", region);
        }
        if (zone != null) {
            properties.put("zone", zone);
            properties.put("availability_zone", zone);
        }
        if (kind.equals(ResourceKind.PHYSICAL_HOST)) {
            // Blazar's API shows these for each host, whatever the cloud reports.
            properties.put("hypervisor_hostname", name);
            properties.put("service_name", name);
        }
        return properties;
    }

    /** Returns all names, also those without a value for some resources. */
    public static Set<String> names() {
        return NAMES;
    }
}
