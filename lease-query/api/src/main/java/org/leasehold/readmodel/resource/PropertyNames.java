package org.leasehold.readmodel.resource;

import org.leasehold.inventory.ResourceKind;

import java.util.Set;

/** The names that a filter can use. */
public interface PropertyNames {

    /**
     * Returns the names of the properties that select resources of a kind; empty without resources
     * of the kind.
     *
     * @param wanted names that a filter uses: a result that lacks one of them is current
     */
    Set<String> findKnown(ResourceKind kind, Set<String> wanted);
}
