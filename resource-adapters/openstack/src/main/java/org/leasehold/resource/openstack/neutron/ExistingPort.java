package org.leasehold.resource.openstack.neutron;

import java.util.Set;

/**
 * Where something is attached to a network.
 *
 * @param owner what kind of thing that is, as Neutron calls it; empty for nothing yet
 * @param device the id of that thing
 */
public record ExistingPort(String id, String network, String owner, String device) {

    private static final Set<String> INTERFACES =
            Set.of(
                    "network:router_interface",
                    "network:router_interface_distributed",
                    "network:ha_router_replicated_interface");
    private static final String OF_THE_CLOUD = "network:";

    /** Whether it is a router's, which alone can give it up. */
    public boolean isInterface() {
        return INTERFACES.contains(owner);
    }

    /** Whether Neutron made it, and takes it away with what it was made for. */
    public boolean isOfTheCloud() {
        return owner.startsWith(OF_THE_CLOUD);
    }
}
