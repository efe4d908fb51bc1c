package org.leasehold.resource.openstack.network;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.neutron.ExistingNetwork;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.openstack.neutron.NeutronChanges;
import org.leasehold.resource.openstack.neutron.NeutronOwnership;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One call that creates the networks of a reservation, or deletes them. */
final class ReservedNetworks {

    private final Neutron neutron;
    private final NeutronChanges changes;
    private final ParallelCalls parallelCalls;
    private final Assignment assignment;

    ReservedNetworks(Neutron neutron, ParallelCalls sideBySide, Assignment assignment) {
        this.neutron = neutron;
        this.changes = neutron.fencedBy(assignment.fence());
        this.parallelCalls = sideBySide;
        this.assignment = assignment;
    }

    /**
     * Changes the reservation's networks to those of the assignment.
     *
     * @return the ids that clients see
     */
    Map<String, Object> applyAssignment(List<Allocation> leaving) {
        Set<@Nullable Segment> wanted = new LinkedHashSet<>();
        assignment.resources().forEach(resource -> wanted.add(segment(resource)));
        deleteNetworks(
                findOwn(leaving).stream()
                        .filter(network -> !wanted.contains(network.segment()))
                        .toList());
        // A reservation requests only one.
        return parallelCalls.map(assignment.resources(), this::createOrTag).stream()
                .findFirst()
                .map(id -> Map.<String, Object>of("network_id", id))
                .orElse(Map.of());
    }

    /** Deletes all of them. */
    void deleteAll() {
        deleteNetworks(findOwn(assignment.resources()));
    }

    private void deleteNetworks(List<ExistingNetwork> networks) {
        new NetworkTeardown(neutron, changes, parallelCalls, assignment, networks).deleteAll();
    }

    /** Returns those with its tag, and those on these segments whose holder removed the tag. */
    private List<ExistingNetwork> findOwn(List<Allocation> allocations) {
        Set<ExistingNetwork> own =
                new LinkedHashSet<>(neutron.networksOf(assignment.reservation()));
        parallelCalls.map(allocations, allocation -> neutron.findAt(segment(allocation))).stream()
                .flatMap(Optional::stream)
                .filter(found -> found.origin().isOf(assignment))
                .forEach(own::add);
        return List.copyOf(own);
    }

    /** Creates a network. It gets the holder's description after the tags that mark it. */
    private String createOrTag(Allocation allocation) {
        Segment segment = segment(allocation);
        String name = String.valueOf(assignment.parameters().get(NetworkPlanning.NAME));
        String description = NetworkPlanning.description(assignment.parameters());
        ExistingNetwork ownNetwork =
                neutron.findAt(segment)
                        .or(() -> changes.create(segment, name, assignment))
                        .or(() -> neutron.findAt(segment))
                        .orElseThrow(() -> unavailableNetwork(segment));
        if (!ownNetwork.origin().isOf(assignment)) {
            throw new CloudFailure(
                    Fault.Kind.INSUFFICIENT_RESOURCES,
                    CloudFailure.NO_ANSWER,
                    "The segment " + segment.name() + " is another one's");
        }
        if (!ownNetwork.origin().isTagged(assignment.reservation())) {
            changes.tag(ownNetwork, ownNetwork.origin().tagsFor(assignment.reservation()));
        }
        boolean toBeDescribed =
                ownNetwork
                        .origin()
                        .description()
                        .equals(NeutronOwnership.mark(assignment.reservation()));
        if (toBeDescribed && !description.isEmpty()) {
            changes.setDescription(ownNetwork, description);
        }
        return ownNetwork.id();
    }

    /** Returns the failure for a network that is being deleted, or is on several segments. */
    private static CloudFailure unavailableNetwork(Segment segment) {
        return new CloudFailure(
                Fault.Kind.RETRYABLE,
                CloudFailure.NO_ANSWER,
                "Neutron does not give the segment " + segment.name());
    }

    private static Segment segment(Allocation allocation) {
        return Segment.fromName(allocation.name())
                .orElseThrow(
                        () ->
                                new CloudFailure(
                                        Fault.Kind.PERMANENT,
                                        CloudFailure.NO_ANSWER,
                                        allocation.name() + " is no name of a segment"));
    }
}
