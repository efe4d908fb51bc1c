package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;

import java.util.List;
import java.util.Optional;

/** Lets the engine act as users in their projects. Throws for nothing that the cloud answers. */
public interface Trusts {

    /**
     * Has a user trust the engine in a project.
     *
     * @param token of the user, in the project
     * @param passedOn whether the engine is to be able to pass the trust on, once, to a service
     *     that wants to act as the user itself
     */
    Entrusting entrust(UserId user, ProjectId project, String token, boolean passedOn);

    /** Deletes a trust, whoever its user is; empty if it is gone. */
    Optional<Fault> revoke(TrustId trust);

    /** All trusts that the engine was given, and that nobody has deleted. */
    Given given();

    /**
     * That somebody trusts the engine.
     *
     * @param project the one in which it may act as them; null for none
     */
    record Trust(TrustId id, UserId user, @Nullable ProjectId project) {}

    /** What the cloud says of trusts. */
    sealed interface Given {

        /** All of them, in the cloud's order. */
        record Known(List<Trust> trusts) implements Given {

            public Known {
                trusts = List.copyOf(trusts);
            }
        }

        /** The cloud did not say. */
        record Unknown(Fault fault) implements Given {}
    }

    /** What came of it. */
    sealed interface Entrusting {

        record Entrusted(TrustId trust) implements Entrusting {}

        /** There is no trust, or nobody was told of it. */
        record Failed(Fault fault) implements Entrusting {}
    }
}
