package org.leasehold.query.metering;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;

/**
 * A line of the difference between two accounts.
 *
 * @param from inclusive
 * @param until exclusive
 * @param active slots; negative for fewer
 * @param lost slots; negative for fewer
 */
record AccountDifferenceLine(
        ReservationId reservation,
        ResourceId resource,
        Allocation allocation,
        Instant from,
        Instant until,
        int active,
        int lost) {}
