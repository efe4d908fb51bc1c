package org.leasehold.resource.identity;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;

import java.util.Optional;

/** Lets the engine act as users in their projects. Throws for nothing that the cloud answers. */
public interface Trusts {

    /**
     * Has a user trust the engine in a project.
     *
     * @param token of the user, in the project
     */
    Entrusting entrust(UserId user, ProjectId project, String token);

    /** Deletes a trust, whoever its user is; empty if it is gone. */
    Optional<Fault> revoke(TrustId trust);

    /** What came of it. */
    sealed interface Entrusting {

        record Entrusted(TrustId trust) implements Entrusting {}

        /** There is no trust, or nobody was told of it. */
        record Failed(Fault fault) implements Entrusting {}
    }
}
