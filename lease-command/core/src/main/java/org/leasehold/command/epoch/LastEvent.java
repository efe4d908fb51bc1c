package org.leasehold.command.epoch;

import java.util.UUID;

/**
 * The last event of a database at some moment.
 *
 * @param epoch the number of the database's epoch at that moment
 * @param position the event's position
 * @param id the event's id, which distinguishes it from a later event at the same position
 */
public record LastEvent(long epoch, long position, UUID id) {}
