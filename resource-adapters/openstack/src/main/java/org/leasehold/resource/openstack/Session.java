package org.leasehold.resource.openstack;

import org.openstack4j.openstack.identity.v3.domain.KeystoneToken;

import java.time.Instant;

/**
 * A login that succeeded.
 *
 * @param renewal when another one is due, some time before this one expires
 * @param details as openstack4j wants them
 */
record Session(String id, Instant renewal, Catalog catalog, KeystoneToken details) {

    boolean isDue(Instant now) {
        return !now.isBefore(renewal);
    }

    /** Logs must not hold tokens. */
    @Override
    public String toString() {
        return "Session[until " + renewal + "]";
    }
}
