package org.leasehold.resource.openstack;

import org.openstack4j.openstack.identity.v3.domain.KeystoneToken;

import java.time.Instant;

/**
 * A successful login.
 *
 * @param renewal the time of the next login, some time before this one expires
 * @param expires the end of its validity
 * @param details in openstack4j's form
 */
record Session(
        String id,
        Instant renewal,
        Instant expires,
        ServiceCatalog catalog,
        KeystoneToken details) {

    boolean isRenewalDue(Instant now) {
        return !now.isBefore(renewal);
    }

    boolean isExpired(Instant now) {
        return !now.isBefore(expires);
    }

    /** Returns the same login with a later renewal. */
    Session withRenewalAt(Instant then) {
        return new Session(id, then, expires, catalog, details);
    }

    /** Omits the token, because logs must not hold tokens. */
    @Override
    public String toString() {
        return "Session[until " + renewal + "]";
    }
}
