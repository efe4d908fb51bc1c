package org.leasehold.resource.instance;

import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ProjectId;

/** The flavors of a cloud. */
@FunctionalInterface
public interface Flavors {

    /** Looks up a flavor that the project may use. */
    Search find(String id, ProjectId project);

    /** The result of a search. */
    sealed interface Search {

        record Found(Flavor flavor) implements Search {}

        /** A flavor that does not exist, or that the project may not use. */
        record NotFound() implements Search {}

        /** A failed search: the cloud did not respond. */
        record Unknown(Fault fault) implements Search {}
    }
}
