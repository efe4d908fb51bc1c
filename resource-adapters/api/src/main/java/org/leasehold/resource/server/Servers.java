package org.leasehold.resource.server;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;

/** The servers of a cloud. */
@FunctionalInterface
public interface Servers {

    /** Looks for one of the project's. */
    Search find(String id, ProjectId project);

    /** What was found. */
    sealed interface Search {

        /**
         * A server.
         *
         * @param room what it takes as long as it is not shelved
         */
        record Found(Room room) implements Search {}

        /** There is none, or it is another project's. */
        record NotFound() implements Search {}

        /** The cloud did not answer. */
        record Unknown(Fault fault) implements Search {}
    }
}
