package org.leasehold.command.lease;

/**
 * The numbers of leases that limit a project.
 *
 * @param unfinished the leases that are not over
 * @param retried those of them that the calendar cannot hold yet
 */
record ProjectLeases(long unfinished, long retried) {

    static final ProjectLeases NONE = new ProjectLeases(0, 0);
}
