package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A resource that the calendar holds for a reservation.
 *
 * @param resource which one
 * @param name what people and the cloud call it
 * @param properties its properties when it was granted, as text; without its traits, the attributes
 *     that are nothing but {@code true}
 * @param share the part of it that is held; null for the whole
 */
public record Allocation(
        ResourceId resource, String name, Map<String, String> properties, @Nullable Share share) {

    public Allocation {
        properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    /** The whole of a resource. */
    public Allocation(ResourceId resource, String name, Map<String, String> properties) {
        this(resource, name, properties, null);
    }

    /** The same resource, but only a part of it. */
    public Allocation shared(Share part) {
        return new Allocation(resource, name, properties, part);
    }

    /** How many slots of the resource are held; 1 where it is held as a whole. */
    public int slots() {
        return share == null ? 1 : share.slots();
    }
}
