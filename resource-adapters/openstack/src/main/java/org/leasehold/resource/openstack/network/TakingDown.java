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
 * Takes networks of a reservation down, with all that is attached to them. Servers stay, and so do
 * routers that have been there before the networks or that lead elsewhere, too.
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
        // A call that was cut off may have left routers, and somebody deleted the networks since.
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
        // Without its interface nothing would tell any more that a router was made for a network.
        sideBySide.each(
                routers.stream().filter(this::wasMadeForThem).toList(),
                router -> changes.tag(router, router.origin().tagsFor(assignment.reservation())));
        // A router keeps its interface as long as a floating IP leads through it.
        sideBySide.each(
                ports.stream().filter(port -> !port.isOfARouter()).toList(), changes::delete);
        sideBySide.each(routers, this::dropRoutes);
        sideBySide.each(
                interfaces.values(), ofOneRouter -> ofOneRouter.forEach(changes::disconnect));
        // Those of routers that there are not.
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
     * A router of the same project, younger than the networks, that leads nowhere else. Neutron
     * tells whole seconds: one of the same second stays, as it may have been there before.
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

    /** Unless their holder has connected them to something else in the meantime. */
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

    /** A router keeps its interface as long as it sends anything to a neighbour there. */
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
