package org.leasehold.lease;

import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

/**
 * The servers that the cloud ran on a resource while a reservation had it. It is a command and,
 * unless nothing changed, the event. It holds until the next observation, or until the reservation
 * no longer has the resource.
 *
 * @param projectId the project of the lease
 * @param servers the number of servers, switched on or off
 * @param vcpus the sum over all of them
 */
public record UseObserved(
        LeaseId leaseId,
        ProjectId projectId,
        ReservationId reservationId,
        ResourceId resourceId,
        int servers,
        int vcpus) {

    public UseObserved {
        if (servers < 0 || vcpus < 0) {
            throw new IllegalArgumentException(
                    "use is not negative: %s servers, %s vcpus".formatted(servers, vcpus));
        }
    }

    /** Returns the event stream for the observations of the resource in this reservation. */
    public String stream() {
        return reservationId + "/" + resourceId;
    }
}
