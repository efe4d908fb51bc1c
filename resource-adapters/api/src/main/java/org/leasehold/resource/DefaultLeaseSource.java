package org.leasehold.resource;

import org.leasehold.lease.Fault;
import org.leasehold.resource.ResourcePlugin.Listening;
import org.leasehold.vocabulary.ProjectId;

import java.util.List;

/**
 * The part of a plug-in that lists objects of all projects which can get a default lease. Only
 * operators see the list: it names objects of every project.
 */
public interface DefaultLeaseSource {

    /**
     * Returns all objects of the kind that exist now, also those that have a lease. Called
     * repeatedly; changes nothing.
     */
    Listing findLeasableObjects();

    /**
     * Checks whether an object still exists in its project. An object that is missing in a listing
     * may only have been moved between two pages of it.
     *
     * @param id the cloud's id of the object
     */
    Presence check(String id, ProjectId project);

    /**
     * Subscribes to the cloud's notifications that an object was created, is in use again, or was
     * deleted. A notification may be old, repeated, lost or wrong: it is a reason for a listing.
     *
     * @param news called for each notification, by any thread; returns at once
     * @return the subscription, which ends when you close it
     */
    default Listening subscribe(Runnable news) {
        return () -> {};
    }

    /** The result of a listing. */
    sealed interface Listing {

        /** The complete result. */
        record All(List<LeasableObject> objects) implements Listing {

            public All {
                objects = List.copyOf(objects);
            }
        }

        /** A failed listing: the cloud did not respond. */
        record Unknown(Fault fault) implements Listing {}
    }

    /** The result of a check. */
    enum Presence {
        /** The object exists. */
        PRESENT,
        /** The cloud has no such object in the project. */
        DELETED,
        /** The cloud did not respond. */
        UNKNOWN
    }
}
