package org.leasehold.resource.openstack.network;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.neutron.ExistingNetwork;
import org.leasehold.resource.openstack.neutron.ExistingPort;
import org.leasehold.resource.openstack.neutron.ExistingRouter;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.openstack.neutron.NeutronChanges;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Deletes networks of a reservation, with all that is attached to them. Servers stay. So do routers
 * that existed before the networks, or that also lead elsewhere.
 */
final class NetworkTeardown {

    private final Neutron neutron;
    private final NeutronChanges changes;
    private final ParallelCalls parallelCalls;
    private final Assignment assignment;
    private final List<ExistingNetwork> networks;

    NetworkTeardown(
            Neutron neutron,
            NeutronChanges changes,
            ParallelCalls sideBySide,
            Assignment assignment,
            List<ExistingNetwork> networks) {
        this.neutron = neutron;
        this.changes = changes;
        this.parallelCalls = sideBySide;
        this.assignment = assignment;
        this.networks = networks;
    }

    void deleteAll() {
        // An interrupted call may have left routers, while the networks were deleted since.
        if (networks.isEmpty()) {
            parallelCalls.forEach(findCreatedRouters(), changes::delete);
            return;
        }
        parallelCalls.forEach(
                networks.stream().filter(ExistingNetwork::up).toList(), changes::disable);
        List<ExistingPort> ports = ports();
        Map<String, List<ExistingPort>> interfaces =
                ports.stream()
                        .filter(ExistingPort::isInterface)
                        .collect(
                                Collectors.groupingBy(
                                        ExistingPort::device,
                                        TreeMap::new,
                                        Collectors.toUnmodifiableList()));
        List<ExistingRouter> routers =
                parallelCalls.map(interfaces.keySet(), neutron::router).stream()
                        .flatMap(Optional::stream)
                        .toList();
        // Without its interface, only the tag shows that a router was created for a network.
        parallelCalls.forEach(
                routers.stream().filter(this::isCreatedForNetworks).toList(),
                router -> changes.tag(router, router.origin().tagsFor(assignment.reservation())));
        // A router keeps its interface while a floating IP leads through it.
        parallelCalls.forEach(
                ports.stream().filter(port -> !port.isRouterPort()).toList(), changes::delete);
        parallelCalls.forEach(routers, this::removeRoutes);
        parallelCalls.forEach(
                interfaces.values(), ofOneRouter -> ofOneRouter.forEach(changes::removeInterface));
        // The rest claims to be of routers that do not exist.
        parallelCalls.forEach(ports(), changes::delete);
        parallelCalls.forEach(findCreatedRouters(), changes::delete);
        parallelCalls.forEach(networks, changes::delete);
    }

    private List<ExistingPort> ports() {
        return parallelCalls.map(networks, network -> neutron.portsIn(network.id())).stream()
                .flatMap(List::stream)
                .filter(port -> !port.isDeletedWithNetwork())
                .toList();
    }

    /**
     * Returns whether a router is the project's, younger than the networks, and leads nowhere else.
     * Neutron's times are whole seconds: a router of the same second stays, as it may be older.
     */
    private boolean isCreatedForNetworks(ExistingRouter router) {
        Set<String> ids = networkIds();
        return isOfProject(router)
                && networks.stream()
                        .allMatch(
                                network ->
                                        router.origin()
                                                .createdAt()
                                                .isAfter(network.origin().createdAt()))
                && interfaces(router).allMatch(port -> ids.contains(port.network()));
    }

    /** Returns such routers, unless their holder has connected them to something else since. */
    private List<ExistingRouter> findCreatedRouters() {
        return neutron.routersOf(assignment.reservation()).stream()
                .filter(this::isOfProject)
                .filter(router -> interfaces(router).findAny().isEmpty())
                .toList();
    }

    private Stream<ExistingPort> interfaces(ExistingRouter router) {
        return neutron.portsOf(router.id()).stream().filter(ExistingPort::isInterface);
    }

    private boolean isOfProject(ExistingRouter router) {
        return router.origin().project().equals(assignment.project().value());
    }

    /** Removes routes. A router keeps its interface while it has a route to a neighbour there. */
    private void removeRoutes(ExistingRouter router) {
        if (router.routes().isEmpty()) {
            return;
        }
        List<Subnet> subnets =
                networks.stream()
                        .flatMap(network -> neutron.subnets(network.id()).stream())
                        .toList();
        List<ExistingRouter.Route> left =
                router.routes().stream()
                        .filter(
                                route ->
                                        subnets.stream()
                                                .noneMatch(
                                                        subnet -> subnet.contains(route.nexthop())))
                        .toList();
        if (left.size() < router.routes().size()) {
            changes.setRoutes(router, left);
        }
    }

    private Set<String> networkIds() {
        return networks.stream().map(ExistingNetwork::id).collect(Collectors.toSet());
    }
}
