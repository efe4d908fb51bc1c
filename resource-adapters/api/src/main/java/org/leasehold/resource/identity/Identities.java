package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;

import java.net.URI;
import java.time.Instant;
import java.util.Set;

/**
 * What the cloud knows of those who bring a token. Every call asks the cloud, and throws for
 * nothing that it answers.
 */
public interface Identities {

    /** Where users log in. */
    URI address();

    Validation validate(String token);

    /**
     * The revocations that the cloud keeps, of tokens that would not have expired yet.
     *
     * @param since leaves out those before, by the cloud's own clock; null for all
     */
    Revocations revocations(@Nullable Instant since);

    /** Whose token it is. */
    sealed interface Validation {

        record Valid(Identity identity) implements Validation {}

        /** Nobody's: unknown, expired or revoked. */
        record Refused() implements Validation {}

        /** The cloud did not say. */
        record Unknown(Fault fault) implements Validation {}
    }

    /** What was revoked. */
    sealed interface Revocations {

        record Known(Set<Revocation> revocations) implements Revocations {

            public Known {
                revocations = Set.copyOf(revocations);
            }
        }

        /** The cloud did not say. */
        record Unknown(Fault fault) implements Revocations {}
    }
}
