package org.leasehold.lease;

import org.leasehold.inventory.ResourceId;

/**
 * A move of a running reservation from one resource to another.
 *
 * @param from the resource that it leaves
 * @param to the resource that it gets instead
 */
public record ResourceMove(ResourceId from, ResourceId to) {

    /** Returns the move to another target, if it leads to the former one. */
    public ResourceMove redirected(ResourceId former, ResourceId target) {
        return to.equals(former) ? new ResourceMove(from, target) : this;
    }
}
