package org.leasehold.resource.volume;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What can be leased of a type of volumes. It is enrolled under the type's name.
 *
 * @param gib what the calendar may promise at any one time
 */
public record VolumeType(String name, long gib) {

    /** The property that says which type it is. */
    public static final String NAME = "volume_type";

    /** The resource class whose amount is in GiB, and the property that says how much there is. */
    public static final String GIB = "VOLUME_GB";

    /** What its enrolment learns of it. */
    public Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NAME, name);
        attributes.put(GIB, gib);
        return attributes;
    }
}
