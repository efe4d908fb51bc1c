package org.leasehold.resource.volume;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The leasable capacity of a volume type. It is enrolled under the type's name.
 *
 * @param gib the most that the calendar may promise at any one time
 */
public record VolumeType(String name, long gib) {

    /** The property that names the type. */
    public static final String NAME = "volume_type";

    /** The resource class in GiB, and the property that holds the capacity. */
    public static final String GIB = "VOLUME_GB";

    /** Returns the properties that its enrolment stores. */
    public Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NAME, name);
        attributes.put(GIB, gib);
        return attributes;
    }
}
