package org.leasehold.saga.trust;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.TrustId;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What is known of the trusts of leases. */
@FunctionalInterface
public interface KnownTrusts {

    /** Empty if the lease has none and is to get none. */
    Optional<KnownTrust> find(LeaseId lease);

    /**
     * The trust of a lease.
     *
     * @param trust null as long as it is only expected
     * @param expectedAt when it was expected first
     */
    record KnownTrust(LeaseId lease, @Nullable TrustId trust, Instant expectedAt) {

        /** Whoever was to bring it has died if it takes longer. */
        private static final Duration PATIENCE = Duration.ofSeconds(30);

        /** Whether it may still come. */
        public boolean isAwaited(Instant now) {
            return trust == null && now.isBefore(expectedAt.plus(PATIENCE));
        }
    }
}
