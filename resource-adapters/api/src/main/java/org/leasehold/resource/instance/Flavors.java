package org.leasehold.resource.instance;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;

/** The flavors of a cloud. */
@FunctionalInterface
public interface Flavors {

    /** Looks for one that the project may use. */
    Search find(String id, ProjectId project);

    /** What was found. */
    sealed interface Search {

        record Found(Flavor flavor) implements Search {}

        /** There is none, or the project may not use it. */
        record NotFound() implements Search {}

        /** The cloud did not answer. */
        record Unknown(Fault fault) implements Search {}
    }
}
