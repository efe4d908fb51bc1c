package org.leasehold.resource.openstack.neutron;

import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.resource.openstack.neutron.ExistingRouter.Route;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The requests that change Neutron, each behind the fence. Each is idempotent: a repetition finds
 * nothing to do.
 */
public final class NeutronChanges {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final FencedCloud fenced;

    NeutronChanges(FencedCloud fenced) {
        this.fenced = fenced;
    }

    /**
     * Creates a floating IP, marked as the reservation's from the beginning.
     *
     * @return empty if the address is taken
     */
    public Optional<ExistingFloatingIp> create(
            FloatingIp ip, Allocation allocation, Assignment assignment) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("floating_network_id", ip.network());
        fields.put("floating_ip_address", ip.address());
        fields.put("project_id", assignment.project().value());
        fields.put("description", NeutronOwnership.mark(assignment.reservation()));
        String subnet = allocation.properties().get(FloatingIp.SUBNET);
        if (subnet != null) {
            fields.put("subnet_id", subnet);
        }
        CloudResponse answer =
                fenced.send(
                        CloudRequest.post(
                                        Neutron.NETWORK,
                                        Neutron.FLOATING_IPS,
                                        Map.of("floatingip", fields))
                                .expecting(CONFLICT));
        if (answer.status() != CONFLICT) {
            return Optional.of(Neutron.floatingIp(answer.body().path("floatingip")));
        }
        requireQuota(answer, assignment, "the floating IP " + ip.address());
        return Optional.empty();
    }

    /**
     * Creates a network, marked as the reservation's from the beginning.
     *
     * @return empty if the segment is taken
     */
    public Optional<ExistingNetwork> create(Segment segment, String name, Assignment assignment) {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("name", name);
        fields.put("project_id", assignment.project().value());
        fields.put("description", NeutronOwnership.mark(assignment.reservation()));
        fields.put(Neutron.NETWORK_TYPE, segment.type().word());
        fields.put(Neutron.SEGMENTATION_ID, segment.id());
        String physical = segment.physical();
        if (physical != null) {
            fields.put(Neutron.PHYSICAL_NETWORK, physical);
        }
        CloudResponse answer =
                fenced.send(
                        CloudRequest.post(
                                        Neutron.NETWORK,
                                        Neutron.NETWORKS,
                                        Map.of("network", fields))
                                .expecting(CONFLICT));
        if (answer.status() != CONFLICT) {
            return Optional.of(Neutron.network(answer.body().path("network")));
        }
        requireQuota(answer, assignment, "the network on " + segment.name());
        return Optional.empty();
    }

    private static void requireQuota(CloudResponse conflict, Assignment assignment, String what) {
        String type = conflict.body().path("NeutronError").path("type").asString("");
        if (type.equals("OverQuota")) {
            throw new CloudFailure(
                    Fault.Kind.INSUFFICIENT_RESOURCES,
                    CONFLICT,
                    "The project %s has no quota left for %s"
                            .formatted(assignment.project(), what));
        }
    }

    public void tag(ExistingFloatingIp existing, Set<String> tags) {
        tag(
                Neutron.FLOATING_IPS,
                existing.id(),
                tags,
                "The floating IP " + existing.ip().address());
    }

    public void tag(ExistingNetwork existing, Set<String> tags) {
        tag(Neutron.NETWORKS, existing.id(), tags, "The network " + existing.id());
    }

    public void tag(ExistingRouter existing, Set<String> tags) {
        tag(Neutron.ROUTERS, existing.id(), tags, "The router " + existing.id());
    }

    private void tag(String path, String id, Set<String> tags, String what) {
        CloudResponse answer =
                fenced.send(
                        CloudRequest.put(
                                        Neutron.NETWORK,
                                        path + "/" + id + "/tags",
                                        Map.of("tags", List.copyOf(tags)))
                                .expecting(NOT_FOUND));
        if (answer.status() == NOT_FOUND) {
            // Its holder may delete it at any time; a retry reads the state again.
            throw new CloudFailure(Fault.Kind.RETRYABLE, NOT_FOUND, what + " is gone");
        }
    }

    public void setDescription(ExistingNetwork existing, String description) {
        change(
                Neutron.NETWORKS,
                existing.id(),
                Map.of("network", Map.of("description", description)));
    }

    /** Stops it from carrying packets. */
    public void disable(ExistingNetwork existing) {
        change(Neutron.NETWORKS, existing.id(), Map.of("network", Map.of("admin_state_up", false)));
    }

    /** Replaces its routes. */
    public void setRoutes(ExistingRouter existing, List<Route> routes) {
        List<Map<String, String>> left =
                routes.stream()
                        .map(
                                route ->
                                        Map.of(
                                                "destination",
                                                route.destination(),
                                                "nexthop",
                                                route.nexthop()))
                        .toList();
        change(Neutron.ROUTERS, existing.id(), Map.of("router", Map.of("routes", left)));
    }

    /** Removes a router's interface from its network. */
    public void removeInterface(ExistingPort port) {
        change(
                Neutron.ROUTERS,
                port.device() + "/remove_router_interface",
                Map.of("port_id", port.id()));
    }

    /** Deletes a port; a server continues without it, and a floating IP of it leads nowhere. */
    public void delete(ExistingPort existing) {
        delete(Neutron.PORTS, existing.id());
    }

    /** Deletes a router; fails while it has interfaces. */
    public void delete(ExistingRouter existing) {
        delete(Neutron.ROUTERS, existing.id());
    }

    /** Deletes a network with its subnets; fails while anything is attached. */
    public void delete(ExistingNetwork existing) {
        delete(Neutron.NETWORKS, existing.id());
    }

    /** Detaches a floating IP from its port, if it has one, and deletes it. */
    public void delete(ExistingFloatingIp existing) {
        delete(Neutron.FLOATING_IPS, existing.id());
    }

    private void change(String path, String id, Map<String, ?> fields) {
        fenced.send(
                CloudRequest.put(Neutron.NETWORK, path + "/" + id, fields).expecting(NOT_FOUND));
    }

    private void delete(String path, String id) {
        fenced.send(CloudRequest.delete(Neutron.NETWORK, path + "/" + id).expecting(NOT_FOUND));
    }
}
