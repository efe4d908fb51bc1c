package org.leasehold.resource.identity;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;

/** What the cloud knows of projects. Throws for nothing that the cloud answers. */
@FunctionalInterface
public interface Projects {

    /** Looks a project up, each time. */
    Search find(ProjectId project);

    /** What the cloud says of a project. */
    enum Standing {
        /** Its users may use the cloud. */
        ENABLED,
        /** Its users may not use the cloud now. */
        DISABLED,
        /** It is unknown: somebody deleted it. */
        DELETED
    }

    /** What came of a search. */
    sealed interface Search {

        record Known(Standing standing) implements Search {}

        /** The cloud did not say. */
        record Unknown(Fault fault) implements Search {}
    }
}
