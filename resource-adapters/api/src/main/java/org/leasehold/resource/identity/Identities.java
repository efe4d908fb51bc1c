package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;

import java.net.URI;
import java.time.Instant;
import java.util.Set;

/**
 * The cloud's data on callers with a token. Every call queries the cloud, and throws for none of
 * its errors.
 */
public interface Identities {

    /** Returns the address at which users log in. */
    URI address();

    Validation validate(String token);

    /**
     * Returns the revocations that the cloud stores, of tokens that would not have expired yet.
     *
     * @param since excludes earlier ones, by the cloud's own clock; null for all
     */
    Revocations revocations(@Nullable Instant since);

    /** The result of the validation of a token. */
    sealed interface Validation {

        record Valid(Identity identity) implements Validation {}

        /** A token that is unknown, expired or revoked. */
        record Refused() implements Validation {}

        /** A failed validation: the cloud did not respond. */
        record Unknown(Fault fault) implements Validation {}
    }

    /** The result of a query for revocations. */
    sealed interface Revocations {

        record Known(Set<Revocation> revocations) implements Revocations {

            public Known {
                revocations = Set.copyOf(revocations);
            }
        }

        /** A failed query: the cloud did not respond. */
        record Unknown(Fault fault) implements Revocations {}
    }
}
