package org.leasehold.resource.openstack.neutron;

import java.util.List;

/** A router in Neutron. */
public record ExistingRouter(String id, NeutronOwnership origin, List<Route> routes) {

    public ExistingRouter {
        routes = List.copyOf(routes);
    }

    /** A route of its holder for packets to destinations other than its neighbours. */
    public record Route(String destination, String nexthop) {}
}
