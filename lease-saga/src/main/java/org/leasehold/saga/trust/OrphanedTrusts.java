package org.leasehold.saga.trust;

import org.leasehold.resource.identity.Trusts.Given;

/** Trusts of which no lease knows. */
@FunctionalInterface
public interface OrphanedTrusts {

    /** Asks the cloud; changes nothing. */
    Given find();
}
