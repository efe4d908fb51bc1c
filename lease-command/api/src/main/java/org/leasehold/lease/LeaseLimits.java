package org.leasehold.lease;

/**
 * The limits of leases that the operator has set.
 *
 * @param reservationsPerLease the maximum of a lease's reservations
 * @param leasesPerProject the maximum of a project's unfinished leases; 0 for no limit
 */
public record LeaseLimits(int reservationsPerLease, long leasesPerProject) {}
