package org.leasehold.resource.openstack.placement;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * A provider of resources.
 *
 * @param parent the id of the provider that it is a part of; null for the root of a tree
 */
public record ResourceProvider(String id, String name, @Nullable String parent) {

    /** The trait of each part of a host that has slots of reservations. */
    public static final String RESERVABLE = "CUSTOM_RESERVABLE";

    private static final String PART_PREFIX = "blazar_";

    /** Returns the name of that part of a hypervisor, as in the reservation service. */
    public static String reservablePartOf(String hypervisor) {
        return PART_PREFIX + hypervisor;
    }

    /** Returns the hypervisor that this is that part of; empty if it is another provider. */
    public Optional<String> hypervisor() {
        return name.startsWith(PART_PREFIX)
                ? Optional.of(name.substring(PART_PREFIX.length()))
                : Optional.empty();
    }
}
