package org.leasehold.saga.timer;

import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.Cause;

import java.time.Instant;

/**
 * A command to be sent at its time.
 *
 * @param key there is one timer per key
 * @param due when to send it; at once if that is over
 * @param cause the event that asked for it
 */
public record Timer(String key, Instant due, LeaseCommand command, Cause cause) {}
