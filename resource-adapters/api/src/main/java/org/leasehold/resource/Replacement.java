package org.leasehold.resource;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;

import java.util.List;
import java.util.Optional;

/**
 * A resource of a running reservation, and the one that it gets instead.
 *
 * @param from the resource that leaves
 * @param to the resource that joins, or of which the reservation gets a larger part
 */
public record Replacement(Allocation from, Allocation to) {

    /**
     * Returns the replacement of a leaving resource, from their ids. Empty if the reservation does
     * not have the target: a later change may have removed it, and then nothing can move there.
     *
     * @param resources those of the assignment
     */
    public static Optional<Replacement> find(
            ResourceId from, ResourceId to, List<Allocation> leaving, List<Allocation> resources) {
        return find(from, leaving)
                .flatMap(left -> find(to, resources).map(joined -> new Replacement(left, joined)));
    }

    private static Optional<Allocation> find(ResourceId id, List<Allocation> allocations) {
        return allocations.stream().filter(each -> each.resource().equals(id)).findFirst();
    }
}
