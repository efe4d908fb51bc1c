package org.leasehold.resource.openstack.neutron;

import java.util.List;

/** A router that Neutron has. */
public record ExistingRouter(String id, Origin origin, List<Route> routes) {

    public ExistingRouter {
        routes = List.copyOf(routes);
    }

    /** Where its holder wants packets sent that are for others than its neighbours. */
    public record Route(String destination, String nexthop) {}
}
