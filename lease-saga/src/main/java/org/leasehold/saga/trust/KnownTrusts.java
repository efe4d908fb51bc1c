package org.leasehold.saga.trust;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.TrustId;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The stored trusts of leases. */
@FunctionalInterface
public interface KnownTrusts {

    /** Returns the trust of a lease; empty if it has none and expects none. */
    Optional<KnownTrust> find(LeaseId lease);

    /**
     * The trust of a lease.
     *
     * @param trust null as long as it is only expected
     * @param expectedAt the time at which it was first expected
     */
    record KnownTrust(LeaseId lease, @Nullable TrustId trust, Instant expectedAt) {

        /** After this time the node that creates the trust has died. */
        private static final Duration CREATION_TIMEOUT = Duration.ofSeconds(30);

        /** Returns whether it may still come. */
        public boolean isAwaited(Instant now) {
            return trust == null && now.isBefore(expectedAt.plus(CREATION_TIMEOUT));
        }
    }
}
