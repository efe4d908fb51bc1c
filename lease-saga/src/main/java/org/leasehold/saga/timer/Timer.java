package org.leasehold.saga.timer;

import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.Cause;

import java.time.Instant;

/**
 * A command that is sent at a time.
 *
 * @param key unique among timers
 * @param due the time to send it; at once if that is past
 * @param cause the event that set it
 */
public record Timer(String key, Instant due, LeaseCommand command, Cause cause) {}
