package org.leasehold.query.rating;

import org.leasehold.inventory.ResourceKind;

import java.util.Map;

/**
 * The service of the reservations of a kind, in the terms of FOCUS 1.2.
 *
 * @param name for people
 * @param category of ServiceCategory
 * @param subcategory of ServiceSubcategory, and of that category
 */
record FocusService(String name, String category, String subcategory) {

    private static final FocusService INSTANCES =
            new FocusService("Instances", "Compute", "Virtual Machines");

    private static final Map<ResourceKind, FocusService> KNOWN =
            Map.of(
                    ResourceKind.PHYSICAL_HOST,
                    new FocusService("Hosts", "Compute", "Other (Compute)"),
                    ResourceKind.VIRTUAL_INSTANCE,
                    INSTANCES,
                    ResourceKind.FLAVOR_INSTANCE,
                    INSTANCES,
                    ResourceKind.SERVER,
                    new FocusService("Servers", "Compute", "Virtual Machines"),
                    ResourceKind.STACK,
                    new FocusService("Stacks", "Compute", "Other (Compute)"),
                    ResourceKind.FLOATING_IP,
                    new FocusService("Floating IPs", "Networking", "Network Connectivity"),
                    ResourceKind.NETWORK,
                    new FocusService("Networks", "Networking", "Network Infrastructure"),
                    ResourceKind.VOLUME,
                    new FocusService("Volumes", "Storage", "Block Storage"));

    /** Returns that of a kind; for a plug-in's own kind, another service with its name. */
    static FocusService of(ResourceKind reservation) {
        FocusService known = KNOWN.get(reservation);
        return known == null
                ? new FocusService(reservation.value(), "Other", "Other (Other)")
                : known;
    }
}
