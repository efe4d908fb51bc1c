package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** What does not move, and why: the operator's first look. */
public interface Stuck {

    /** Plugin actions that have failed at least once and are still to be done, oldest first. */
    List<StuckAction> actions(int limit);

    /** Those of some leases that are tried again by themselves, oldest first. */
    List<StuckAction> waiting(Collection<LeaseId> leases);

    /**
     * A plugin action that has not succeeded yet.
     *
     * @param target what it is for
     * @param attempts how often it was tried
     * @param lastFault what the plugin said the last time; null when the process died over it
     * @param nextAttempt when it is tried again; null when only an operator's retry will
     */
    record StuckAction(
            Target target,
            int attempts,
            @Nullable String lastFault,
            Instant since,
            @Nullable Instant nextAttempt) {}

    /** What an action is for, and which it is. */
    sealed interface Target {

        record Reservation(LeaseId lease, ReservationId reservation, Action action)
                implements Target {}

        record Resource(ResourceId resource, ResourceKind kind, String name, Change change)
                implements Target {}
    }

    /** What the cloud is asked to do with a resource. */
    enum Change {
        /** Take it into the pool of leasable ones. */
        ENROL,
        /** Give it back. */
        RETIRE
    }
}
