package org.leasehold.command;

import org.leasehold.lease.LeaseId;
import org.leasehold.lease.TrustId;

import java.time.Instant;

/**
 * The trusts by which the engine acts as those who made leases. Each is deleted when its lease is
 * over; that is not the caller's to do.
 */
public interface LeaseTrusts {

    /**
     * Says that a lease gets a trust once what is about to be asked is accepted: what needs it
     * waits for a moment.
     *
     * @return false if that was said a moment ago, or the lease has one already
     */
    boolean expect(LeaseId lease, Instant at);

    /**
     * Gives a lease the trust that was expected.
     *
     * @return false if it is not expected any more, or another came: then nobody will ever delete
     *     it
     */
    boolean keep(LeaseId lease, TrustId trust);

    /** Nothing comes of what was expected: the lease is refused, or goes on without. */
    void forget(LeaseId lease);
}
