package org.leasehold.command;

import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.TrustId;

import java.time.Instant;

/**
 * The trusts with which the engine acts for the users who created leases. The engine deletes each
 * trust after its lease ends; the caller does not.
 */
public interface LeaseTrusts {

    /**
     * Announces that a lease gets a trust if the next request is accepted. Tasks that need the
     * trust wait for a moment.
     *
     * @return false if it was announced a moment ago, or if the lease already has a trust
     */
    boolean announce(LeaseId lease, Instant at);

    /**
     * Stores the expected trust of a lease.
     *
     * @return false if no trust is expected any more, or if another one arrived; the engine will
     *     not delete this trust
     */
    boolean store(LeaseId lease, TrustId trust);

    /** Cancels the expectation: the lease is refused, or continues without a trust. */
    void cancel(LeaseId lease);
}
