package org.leasehold.resource.openstack.placement;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Who has resources to give.
 *
 * @param parent the id of the provider whose part it is; null for a whole tree
 */
public record Provider(String id, String name, @Nullable String parent) {

    /** The trait of each part of a host that reservations have slots of. */
    public static final String RESERVABLE = "CUSTOM_RESERVABLE";

    private static final String PARTS = "blazar_";

    /** What that part of a hypervisor is called; the name is the reservation service's. */
    public static String reservablePartOf(String hypervisor) {
        return PARTS + hypervisor;
    }

    /** The hypervisor that this is that part of; empty if it is another provider. */
    public Optional<String> hypervisor() {
        return name.startsWith(PARTS)
                ? Optional.of(name.substring(PARTS.length()))
                : Optional.empty();
    }
}
