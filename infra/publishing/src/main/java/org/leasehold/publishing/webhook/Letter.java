package org.leasehold.publishing.webhook;

/**
 * An event that lies by for another try.
 *
 * @param attempts how often it was tried
 * @param step how many of the pauses between its tries are over
 */
record Letter(long position, int attempts, int step) {}
