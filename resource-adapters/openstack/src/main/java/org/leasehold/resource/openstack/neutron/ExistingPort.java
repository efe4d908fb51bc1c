package org.leasehold.resource.openstack.neutron;

import java.util.Set;

/**
 * An attachment to a network.
 *
 * @param owner the kind of the attached thing in Neutron; empty for nothing yet
 * @param device the id of that thing
 */
public record ExistingPort(String id, String network, String owner, String device) {

    private static final Set<String> INTERFACE_OWNERS =
            Set.of(
                    "network:router_interface",
                    "network:router_interface_distributed",
                    "network:ha_router_replicated_interface");
    private static final String CENTRALIZED_SNAT = "network:router_centralized_snat";
    private static final Set<String> NETWORK_PORT_OWNERS =
            Set.of("network:dhcp", "network:distributed", "network:floatingip_agent_gateway");

    /**
     * Returns whether it is a router's interface, which only the router can release. Its network's
     * project may write any owner on a port, so the router may not exist.
     */
    public boolean isInterface() {
        return INTERFACE_OWNERS.contains(owner) && !device.isBlank();
    }

    /** Returns whether Neutron creates and deletes it for a router. */
    public boolean isRouterPort() {
        return isInterface() || owner.equals(CENTRALIZED_SNAT);
    }

    /** Returns whether Neutron deletes it with its network. */
    public boolean isDeletedWithNetwork() {
        return NETWORK_PORT_OWNERS.contains(owner);
    }
}
