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
    private static final String CENTRALIZED_SNAT = "network:router_centralized_snat";
    private static final Set<String> GO_WITH_THE_NETWORK =
            Set.of("network:dhcp", "network:distributed", "network:floatingip_agent_gateway");

    /**
     * Whether it is a router's, which alone can give it up. Its network's project may write any
     * owner on a port, so that there may be no such router.
     */
    public boolean isInterface() {
        return INTERFACES.contains(owner) && !device.isBlank();
    }

    /** Whether Neutron made it for a router, and takes it away when that leaves the network. */
    public boolean isOfARouter() {
        return isInterface() || owner.equals(CENTRALIZED_SNAT);
    }

    /** Whether Neutron deletes it with its network. */
    public boolean goesWithTheNetwork() {
        return GO_WITH_THE_NETWORK.contains(owner);
    }
}
