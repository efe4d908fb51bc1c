package org.leasehold.lease;

import org.leasehold.inventory.ResourceId;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A resource that the calendar holds for a reservation.
 *
 * @param resource which one
 * @param name what people and the cloud call it
 * @param properties its properties when it was granted, as text
 */
public record Allocation(ResourceId resource, String name, Map<String, String> properties) {

    public Allocation {
        properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }
}
