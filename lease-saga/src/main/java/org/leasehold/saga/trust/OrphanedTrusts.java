package org.leasehold.saga.trust;

import org.leasehold.resource.identity.Trusts.Given;

/** The trusts that no lease has. */
@FunctionalInterface
public interface OrphanedTrusts {

    /** Queries the cloud; changes nothing. */
    Given find();
}
