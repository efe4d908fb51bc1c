package org.leasehold.query;

import org.leasehold.inventory.ResourceKind;

import java.util.Set;

/** The names that a filter can use. */
public interface PropertyNames {

    /**
     * The names of the properties that resources of a kind can be chosen by; empty where there are
     * no resources of the kind.
     *
     * @param wanted names that a filter uses: an answer that lacks one of them is current
     */
    Set<String> known(ResourceKind kind, Set<String> wanted);
}
