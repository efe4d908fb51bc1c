package org.leasehold.resource.identity;

import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ProjectId;

/** The cloud's data on projects. Throws for no error of the cloud. */
@FunctionalInterface
public interface Projects {

    /** Looks up a project, with a request each time. */
    Search find(ProjectId project);

    /** The state of a project in the cloud. */
    enum Standing {
        /** A project whose users may use the cloud. */
        ENABLED,
        /** A project whose users may not use the cloud now. */
        DISABLED,
        /** A project that the cloud does not know, because it was deleted. */
        DELETED
    }

    /** The result of a search. */
    sealed interface Search {

        record Known(Standing standing) implements Search {}

        /** A failed search: the cloud did not respond. */
        record Unknown(Fault fault) implements Search {}
    }
}
