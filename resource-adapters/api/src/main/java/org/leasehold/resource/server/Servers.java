package org.leasehold.resource.server;

import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ProjectId;

/** The servers of a cloud. */
@FunctionalInterface
public interface Servers {

    /** Looks up a server of the project. */
    Search find(String id, ProjectId project);

    /** The result of a search. */
    sealed interface Search {

        /**
         * A server.
         *
         * @param room what it takes while it is not shelved
         */
        record Found(ComputeCapacity room) implements Search {}

        /** A server that does not exist, or is another project's. */
        record NotFound() implements Search {}

        /** A failed search: the cloud did not respond. */
        record Unknown(Fault fault) implements Search {}
    }
}
