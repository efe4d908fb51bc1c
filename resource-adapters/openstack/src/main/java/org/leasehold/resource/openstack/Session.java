package org.leasehold.resource.openstack;

import org.openstack4j.openstack.identity.v3.domain.KeystoneToken;

import java.time.Instant;

/**
 * A login that succeeded.
 *
 * @param renewal when another one is due, some time before this one expires
 * @param expires after which it is of no use
 * @param details as openstack4j wants them
 */
record Session(
        String id, Instant renewal, Instant expires, Catalog catalog, KeystoneToken details) {

    boolean isDue(Instant now) {
        return !now.isBefore(renewal);
    }

    boolean isOver(Instant now) {
        return !now.isBefore(expires);
    }

    /** The same login, to be renewed later. */
    Session renewedLater(Instant then) {
        return new Session(id, then, expires, catalog, details);
    }

    /** Logs must not hold tokens. */
    @Override
    public String toString() {
        return "Session[until " + renewal + "]";
    }
}
