package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.Map;
import java.util.Set;

/**
 * The part of a plug-in that lists the servers which a reservation of its kind contains, such as
 * those of a stack. Such a server has its lease already.
 */
public interface ContainedServerSource {

    /**
     * Returns the servers that a reservation contains now. Called repeatedly; changes nothing.
     *
     * @param project the project of the lease
     * @param parameters the parameters of the reservation, as the plug-in planned them
     */
    Listing findServers(
            ReservationId reservation, ProjectId project, Map<String, @Nullable Object> parameters);

    /** The result of a listing. */
    sealed interface Listing {

        /**
         * The complete result.
         *
         * @param servers the cloud's ids of the servers; empty while there are none
         */
        record All(Set<String> servers) implements Listing {

            public All {
                servers = Set.copyOf(servers);
            }
        }

        /** A failed listing: the cloud did not respond. */
        record Unknown(Fault fault) implements Listing {}
    }
}
