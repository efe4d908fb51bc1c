package org.leasehold.query;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * What became known of one resource of a lease between one reading of its meter and the next. It
 * never changes: what turns out to have been otherwise is taken back by another one, with negative
 * amounts.
 *
 * @param id the same whenever it is made again
 * @param kind the reservation's
 * @param resourceKind the resource's own: a reservation may have resources of several kinds
 * @param allocation what was promised of the resource
 * @param from inclusive, UTC
 * @param until exclusive, UTC
 * @param active how many slots more were promised and given all the time; negative for fewer
 * @param lost how many slots more were promised and not given; negative for fewer
 */
public record UsageRecord(
        UUID id,
        LeaseId lease,
        ProjectId project,
        ReservationId reservation,
        ResourceKind kind,
        ResourceId resource,
        ResourceKind resourceKind,
        Allocation allocation,
        Instant from,
        Instant until,
        int active,
        int lost) {

    /** How long it was promised and given, times the slots. */
    public Duration activeTime() {
        return Duration.between(from, until).multipliedBy(active);
    }

    /** How long it was promised and not given, times the slots. */
    public Duration lostTime() {
        return Duration.between(from, until).multipliedBy(lost);
    }
}
