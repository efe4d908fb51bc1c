package org.leasehold.resource.openstack.network;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.openstack.SideBySide;
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
final class TakingDown {

    private final Neutron neutron;
    private final NeutronChanges changes;
    private final SideBySide sideBySide;
    private final Assignment assignment;
    private final List<ExistingNetwork> networks;

    TakingDown(
            Neutron neutron,
            NeutronChanges changes,
            SideBySide sideBySide,
            Assignment assignment,
            List<ExistingNetwork> networks) {
        this.neutron = neutron;
        this.changes = changes;
        this.sideBySide = sideBySide;
        this.assignment = assignment;
        this.networks = networks;
    }

    void everything() {
        // An interrupted call may have left routers, while the networks were deleted since.
        if (networks.isEmpty()) {
            sideBySide.each(madeForThem(), changes::delete);
            return;
        }
        sideBySide.each(networks.stream().filter(ExistingNetwork::up).toList(), changes::shut);
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
                sideBySide.map(interfaces.keySet(), neutron::router).stream()
                        .flatMap(Optional::stream)
                        .toList();
        // Without its interface, only the tag shows that a router was created for a network.
        sideBySide.each(
                routers.stream().filter(this::wasMadeForThem).toList(),
                router -> changes.tag(router, router.origin().tagsFor(assignment.reservation())));
        // A router keeps its interface while a floating IP leads through it.
        sideBySide.each(
                ports.stream().filter(port -> !port.isOfARouter()).toList(), changes::delete);
        sideBySide.each(routers, this::dropRoutes);
        sideBySide.each(
                interfaces.values(), ofOneRouter -> ofOneRouter.forEach(changes::disconnect));
        // The rest claims to be of routers that do not exist.
        sideBySide.each(ports(), changes::delete);
        sideBySide.each(madeForThem(), changes::delete);
        sideBySide.each(networks, changes::delete);
    }

    private List<ExistingPort> ports() {
        return sideBySide.map(networks, network -> neutron.portsIn(network.id())).stream()
                .flatMap(List::stream)
                .filter(port -> !port.goesWithTheNetwork())
                .toList();
    }

    /**
     * Returns whether a router is the project's, younger than the networks, and leads nowhere else.
     * Neutron's times are whole seconds: a router of the same second stays, as it may be older.
     */
    private boolean wasMadeForThem(ExistingRouter router) {
        Set<String> ids = ids();
        return isTheProjects(router)
                && networks.stream()
                        .allMatch(
                                network ->
                                        router.origin()
                                                .createdAt()
                                                .isAfter(network.origin().createdAt()))
                && interfaces(router).allMatch(port -> ids.contains(port.network()));
    }

    /** Returns such routers, unless their holder has connected them to something else since. */
    private List<ExistingRouter> madeForThem() {
        return neutron.routersOf(assignment.reservation()).stream()
                .filter(this::isTheProjects)
                .filter(router -> interfaces(router).findAny().isEmpty())
                .toList();
    }

    private Stream<ExistingPort> interfaces(ExistingRouter router) {
        return neutron.portsOf(router.id()).stream().filter(ExistingPort::isInterface);
    }

    private boolean isTheProjects(ExistingRouter router) {
        return router.origin().project().equals(assignment.project().value());
    }

    /** Removes routes. A router keeps its interface while it has a route to a neighbour there. */
    private void dropRoutes(ExistingRouter router) {
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
            changes.route(router, left);
        }
    }

    private Set<String> ids() {
        return networks.stream().map(ExistingNetwork::id).collect(Collectors.toSet());
    }
}
