package org.leasehold.resource.openstack.neutron;

import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The requests that change Neutron. Before each the fence is asked; each may come again after it
 * took effect, and then finds that there is nothing to do.
 */
public final class NeutronChanges {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final Fenced fenced;

    NeutronChanges(Fenced fenced) {
        this.fenced = fenced;
    }

    /**
     * Makes a floating IP that bears the name of the reservation from the beginning.
     *
     * @return empty if the address is taken
     */
    public Optional<ExistingIp> create(
            FloatingIp ip, Allocation allocation, Assignment assignment) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("floating_network_id", ip.network());
        fields.put("floating_ip_address", ip.address());
        fields.put("project_id", assignment.project().value());
        fields.put("description", Origin.mark(assignment.reservation()));
        String subnet = allocation.properties().get(FloatingIp.SUBNET);
        if (subnet != null) {
            fields.put("subnet_id", subnet);
        }
        Answer answer =
                fenced.send(
                        Request.post(
                                        Neutron.NETWORK,
                                        Neutron.FLOATING_IPS,
                                        Map.of("floatingip", fields))
                                .expecting(CONFLICT));
        if (answer.status() != CONFLICT) {
            return Optional.of(Neutron.floatingIp(answer.body().path("floatingip")));
        }
        String type = answer.body().path("NeutronError").path("type").asString("");
        if (type.equals("OverQuota")) {
            throw new CloudFailure(
                    Fault.Kind.INSUFFICIENT_RESOURCES,
                    CONFLICT,
                    "The project %s has no quota left for the floating IP %s"
                            .formatted(assignment.project(), ip.address()));
        }
        return Optional.empty();
    }

    public void tag(ExistingIp existing, Set<String> tags) {
        Answer answer =
                fenced.send(
                        Request.put(
                                        Neutron.NETWORK,
                                        Neutron.FLOATING_IPS + "/" + existing.id() + "/tags",
                                        Map.of("tags", List.copyOf(tags)))
                                .expecting(NOT_FOUND));
        if (answer.status() == NOT_FOUND) {
            // Its holder may delete it at any time; another one will be made.
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE,
                    NOT_FOUND,
                    "The floating IP %s is gone".formatted(existing.ip().address()));
        }
    }

    /** Takes it from its port, if it has one, and deletes it. */
    public void delete(ExistingIp existing) {
        fenced.send(
                Request.delete(Neutron.NETWORK, Neutron.FLOATING_IPS + "/" + existing.id())
                        .expecting(NOT_FOUND));
    }
}
