package org.leasehold.publishing.webhook;

/**
 * An event that waits for a retry.
 *
 * @param attempts the number of attempts
 * @param step the number of pauses between attempts that are over
 */
record PendingDelivery(long position, int attempts, int step) {}
