package org.leasehold.resource.openstack.placement;

import org.jspecify.annotations.Nullable;

/**
 * Who has resources to give.
 *
 * @param parent the id of the provider whose part it is; null for a whole tree
 */
public record Provider(String id, String name, @Nullable String parent) {

    /** The trait of each part of a host that reservations have slots of. */
    public static final String RESERVABLE = "CUSTOM_RESERVABLE";

    /** What that part of a hypervisor is called; the name is the reservation service's. */
    public static String reservablePartOf(String hypervisor) {
        return "blazar_" + hypervisor;
    }
}
