package org.leasehold.readmodel.usage;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The usage of one resource of a lease between one reading of its meter and the next. It never
 * changes: a correction is another record, with negative amounts.
 *
 * @param id the same whenever the record is made again
 * @param kind the reservation's
 * @param resourceKind the resource's own: a reservation may have resources of several kinds
 * @param allocation the booked part of the resource
 * @param from inclusive, UTC
 * @param until exclusive, UTC
 * @param active the difference in slots that were promised and given all the time; negative for
 *     fewer
 * @param lost the difference in slots that were promised and not given; negative for fewer
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

    /** Returns the time that was promised and given, times the slots. */
    public Duration activeTime() {
        return Duration.between(from, until).multipliedBy(active);
    }

    /** Returns the time that was promised and not given, times the slots. */
    public Duration lostTime() {
        return Duration.between(from, until).multipliedBy(lost);
    }
}
