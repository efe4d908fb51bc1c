package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Share;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A resource that the calendar holds for a reservation.
 *
 * @param resource the resource's id
 * @param name its name for people and the cloud
 * @param properties its properties at the time of the grant, as text; without its traits, the
 *     attributes that are nothing but {@code true}
 * @param share the part of it that is held; null for the whole
 */
public record Allocation(
        ResourceId resource, String name, Map<String, String> properties, @Nullable Share share) {

    public Allocation {
        properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    /** Creates the allocation of a whole resource. */
    public Allocation(ResourceId resource, String name, Map<String, String> properties) {
        this(resource, name, properties, null);
    }

    /** Returns the allocation of a part of the same resource. */
    public Allocation shared(Share part) {
        return new Allocation(resource, name, properties, part);
    }

    /** Returns the number of held slots; 1 for a whole resource. */
    public int slots() {
        return share == null ? 1 : share.slots();
    }
}
