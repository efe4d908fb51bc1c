package org.leasehold.lease;

import org.leasehold.inventory.ResourceId;

/**
 * What the cloud was seen to run on a resource while a reservation had it. It is a command and,
 * unless it is what was seen before, the event: it holds until something else is seen, or until the
 * reservation no longer has the resource.
 *
 * @param projectId whose lease it is
 * @param servers how many there are, be they switched on or off
 * @param vcpus of all of them together
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

    /** Where all that was seen of the resource in this reservation stands. */
    public String stream() {
        return reservationId + "/" + resourceId;
    }
}
