package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Optional;

/** The trusts by which the engine acts as users. Throws for no error of the cloud. */
public interface Trusts {

    /**
     * Creates a trust of a user in the engine, for a project.
     *
     * @param token of the user, in the project
     * @param passedOn whether the engine may pass the trust on, once, to a service that wants to
     *     act as the user itself
     */
    Entrusting createTrust(UserId user, ProjectId project, String token, boolean passedOn);

    /** Deletes the trust of any user; empty if it is gone. */
    Optional<Fault> revoke(TrustId trust);

    /** Returns all trusts that the engine was given and that still exist. */
    Given list();

    /**
     * A trust of a user in the engine.
     *
     * @param project the one in which the engine may act as the user; null for none
     */
    record Trust(TrustId id, UserId user, @Nullable ProjectId project) {}

    /** The result of a query for trusts. */
    sealed interface Given {

        /** All of them, in the cloud's order. */
        record Known(List<Trust> trusts) implements Given {

            public Known {
                trusts = List.copyOf(trusts);
            }
        }

        /** A failed query: the cloud did not respond. */
        record Unknown(Fault fault) implements Given {}
    }

    /** The result of the creation of a trust. */
    sealed interface Entrusting {

        record Entrusted(TrustId trust) implements Entrusting {}

        /** A failed creation: there is no trust, or the response with its id was lost. */
        record Failed(Fault fault) implements Entrusting {}
    }
}
