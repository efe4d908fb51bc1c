package org.leasehold.resource.openstack.floatingip;

import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.neutron.ExistingFloatingIp;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.openstack.neutron.NeutronChanges;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One call that creates or deletes the floating IPs of a reservation. */
final class ReservedFloatingIps {

    private final Neutron neutron;
    private final NeutronChanges changes;
    private final ParallelCalls parallelCalls;
    private final Assignment assignment;

    ReservedFloatingIps(Neutron neutron, ParallelCalls sideBySide, Assignment assignment) {
        this.neutron = neutron;
        this.changes = neutron.fencedBy(assignment.fence());
        this.parallelCalls = sideBySide;
        this.assignment = assignment;
    }

    /** Changes the reservation's floating IPs to those of the assignment. */
    void applyAssignment(List<Allocation> leaving) {
        Set<String> wanted = new LinkedHashSet<>();
        assignment.resources().forEach(resource -> wanted.add(resource.name()));
        parallelCalls.forEach(
                findOwn(leaving).stream().filter(own -> !wanted.contains(own.ip().name())).toList(),
                changes::delete);
        parallelCalls.forEach(assignment.resources(), this::createOrTag);
    }

    /** Deletes all of them. */
    void deleteAll() {
        parallelCalls.forEach(findOwn(assignment.resources()), changes::delete);
    }

    /** Returns those with its tag, and those at these addresses whose holder removed the tag. */
    private Set<ExistingFloatingIp> findOwn(List<Allocation> allocations) {
        Set<ExistingFloatingIp> own =
                new LinkedHashSet<>(neutron.floatingIpsOf(assignment.reservation()));
        parallelCalls.map(allocations, allocation -> neutron.findAt(ip(allocation))).stream()
                .flatMap(Optional::stream)
                .filter(found -> found.origin().isOf(assignment))
                .forEach(own::add);
        return own;
    }

    private void createOrTag(Allocation allocation) {
        FloatingIp ip = ip(allocation);
        ExistingFloatingIp ownIp =
                neutron.findAt(ip)
                        .or(() -> changes.create(ip, allocation, assignment))
                        .or(() -> neutron.findAt(ip))
                        .orElseThrow(() -> unavailableFloatingIp(ip));
        if (!ownIp.origin().isOf(assignment)) {
            throw failure(ip, "is another one's");
        }
        if (!ownIp.origin().isTagged(assignment.reservation())) {
            changes.tag(ownIp, ownIp.origin().tagsFor(assignment.reservation()));
        }
    }

    /** Returns the failure. A floating IP that is being deleted still has its port. */
    private CloudFailure unavailableFloatingIp(FloatingIp ip) {
        List<String> ports = neutron.portsAt(ip);
        return ports.isEmpty()
                ? new CloudFailure(
                        Fault.Kind.RETRYABLE,
                        CloudFailure.NO_ANSWER,
                        "Neutron does not give the floating IP " + ip.address())
                : new CloudFailure(
                        Fault.Kind.INSUFFICIENT_RESOURCES,
                        CloudFailure.NO_ANSWER,
                        "The floating IP " + ip.address() + " is in use",
                        "The floating IP %s is the address of %s"
                                .formatted(ip.address(), ports.getFirst()));
    }

    private static FloatingIp ip(Allocation allocation) {
        return FloatingIp.fromName(allocation.name())
                .orElseThrow(
                        () ->
                                new CloudFailure(
                                        Fault.Kind.PERMANENT,
                                        CloudFailure.NO_ANSWER,
                                        allocation.name() + " is no name of a floating IP"));
    }

    private static CloudFailure failure(FloatingIp ip, String why) {
        return new CloudFailure(
                Fault.Kind.INSUFFICIENT_RESOURCES,
                CloudFailure.NO_ANSWER,
                "The floating IP " + ip.address() + " " + why);
    }
}
