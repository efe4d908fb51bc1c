package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;

import java.util.List;

/**
 * The part of a plug-in that finds lease tags on things in the cloud. The cloud decides who may
 * write on a thing; the request counts as its project's.
 */
public interface Petitioning {

    /** Returns all tagged things that can be leased now. Called repeatedly; changes nothing. */
    Seen petitions();

    /**
     * Writes the error of a lease tag on its thing. If the write fails, nothing happens: the engine
     * calls this again as long as the thing shows another text.
     *
     * @param problem at most {@link Petition#LONGEST} characters for its owner; null to remove the
     *     error
     */
    void tell(Petition petition, @Nullable String problem);

    /** The result of a search for lease tags. */
    sealed interface Seen {

        /** The complete result. */
        record All(List<Petition> petitions) implements Seen {

            public All {
                petitions = List.copyOf(petitions);
            }
        }

        /** A failed search: the cloud did not respond. */
        record Nothing(Fault fault) implements Seen {}
    }
}
