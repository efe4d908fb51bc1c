package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;

import java.util.List;

/**
 * The part of a plugin that knows which things in the cloud their owners want leased, as they have
 * written on them. Who may write on a thing is the cloud's to say: it is the wish of its project.
 */
public interface Petitioning {

    /** All such things that can be leased now. Asked time and again. Changes nothing. */
    Seen petitions();

    /**
     * Writes on a thing what is wrong with what is written on it. What cannot be written now is
     * left: it is told again as long as the thing says something else.
     *
     * @param problem at most {@link Petition#LONGEST} characters for its owner; null if nothing is
     *     wrong any more
     */
    void tell(Petition petition, @Nullable String problem);

    /** What was seen. */
    sealed interface Seen {

        /** All of it. */
        record All(List<Petition> petitions) implements Seen {

            public All {
                petitions = List.copyOf(petitions);
            }
        }

        /** The cloud did not answer. */
        record Nothing(Fault fault) implements Seen {}
    }
}
