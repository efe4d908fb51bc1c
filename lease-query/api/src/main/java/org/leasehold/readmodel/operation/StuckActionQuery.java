package org.leasehold.readmodel.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** The stuck actions, with their faults, for operators. */
public interface StuckActionQuery {

    /**
     * Returns plug-in actions that failed at least once and are not done, oldest first.
     *
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of actions
     * @throws UnknownMarker if no page gave the marker
     */
    Page<StuckAction> actions(@Nullable String marker, int limit);

    /** Returns those of some leases that the engine retries itself, oldest first. */
    List<StuckAction> retryingActions(Collection<LeaseId> leases);

    /**
     * A plug-in action that has not succeeded yet.
     *
     * @param target the subject of the action
     * @param attempts the number of attempts
     * @param lastFault the plug-in's last fault; null when the process died during the attempt
     * @param nextAttempt the time of the next attempt; null when it needs an operator's retry
     */
    record StuckAction(
            Target target,
            int attempts,
            @Nullable String lastFault,
            Instant since,
            @Nullable Instant nextAttempt) {}

    /** The subject and the type of an action. */
    sealed interface Target {

        record Reservation(LeaseId lease, ReservationId reservation, Action action)
                implements Target {}

        record Resource(ResourceId resource, ResourceKind kind, String name, Change change)
                implements Target {}
    }

    /** The change of a resource that the cloud has to make. */
    enum Change {
        /** Add it to the pool of leasable ones. */
        ENROL,
        /** Remove it from that pool. */
        RETIRE
    }
}
