package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.ResourcePlugin.Listening;

import java.util.List;

/**
 * The part of a plug-in that finds lease tags on objects in the cloud. The cloud decides who may
 * write on an object; the request counts as its project's.
 */
public interface LeaseTagSource {

    /** Returns all tagged things that can be leased now. Called repeatedly; changes nothing. */
    Seen findTaggedObjects();

    /**
     * Writes the error of a lease tag on its object. If the write fails, nothing happens: the
     * engine calls this again as long as the object shows another text.
     *
     * @param problem at most {@link LeaseTaggedObject#MAX_TEXT_LENGTH} characters for its owner;
     *     null to remove the error
     */
    void writeError(LeaseTaggedObject object, @Nullable String problem);

    /**
     * Subscribes to the cloud's notifications that an object was created or is in use again. A
     * notification may be old, repeated, lost or wrong: it is a reason for a search.
     *
     * @param news called for each notification, by any thread; returns at once
     * @return the subscription, which ends when you close it
     */
    default Listening subscribe(Runnable news) {
        return () -> {};
    }

    /** The result of a search for lease tags. */
    sealed interface Seen {

        /** The complete result. */
        record All(List<LeaseTaggedObject> objects) implements Seen {

            public All {
                objects = List.copyOf(objects);
            }
        }

        /** A failed search: the cloud did not respond. */
        record Unknown(Fault fault) implements Seen {}
    }
}
