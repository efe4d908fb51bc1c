package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.List;

/** What does not move, and why: the operator's first look. */
public interface Stuck {

    /** Plugin actions that have failed at least once and are still to be done, oldest first. */
    List<StuckAction> actions(int limit);

    /**
     * A plugin action that has not succeeded yet.
     *
     * @param attempts how often it was tried
     * @param lastFault what the plugin said the last time; null when the process died over it
     * @param nextAttempt when it is tried again; null when only an operator's retry will
     */
    record StuckAction(
            LeaseId lease,
            ReservationId reservation,
            Action action,
            int attempts,
            @Nullable String lastFault,
            Instant since,
            @Nullable Instant nextAttempt) {}
}
