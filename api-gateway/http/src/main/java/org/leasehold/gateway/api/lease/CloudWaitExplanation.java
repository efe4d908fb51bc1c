package org.leasehold.gateway.api.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Explains leases that wait for the cloud. A failed attempt creates no event: as long as it is
 * retried, the lease has not changed.
 */
public final class CloudWaitExplanation {

    private static final Set<LeaseStatus> WAITING_STATUSES =
            EnumSet.of(
                    LeaseStatus.STARTING,
                    LeaseStatus.ACTIVE,
                    LeaseStatus.ENDING,
                    LeaseStatus.DELETING);

    private final StuckActionQuery stuckActions;

    public CloudWaitExplanation(StuckActionQuery stuck) {
        this.stuckActions = stuck;
    }

    LeaseView explain(LeaseView lease) {
        return explain(List.of(lease)).getFirst();
    }

    /**
     * Returns the leases in the same order. An explanation that a lease has already stays, unless
     * the lease ends: then the failed start that ends it must not hide an end that waits.
     */
    List<LeaseView> explain(List<LeaseView> leases) {
        List<LeaseId> silent =
                leases.stream()
                        .filter(CloudWaitExplanation::mayBeExplained)
                        .map(LeaseView::id)
                        .toList();
        if (silent.isEmpty()) {
            return leases;
        }
        Map<LeaseId, String> reasons = new HashMap<>();
        for (StuckAction action : stuckActions.retryingActions(silent)) {
            if (action.target() instanceof Target.Reservation(var lease, _, var what)) {
                reasons.putIfAbsent(lease, formatReason(action, what));
            }
        }
        return leases.stream()
                .map(
                        lease ->
                                mayBeExplained(lease)
                                        ? withReason(lease, reasons.get(lease.id()))
                                        : lease)
                .toList();
    }

    private static boolean mayBeExplained(LeaseView lease) {
        return (lease.explanation() == null || isEnding(lease))
                && WAITING_STATUSES.contains(lease.status());
    }

    private static boolean isEnding(LeaseView lease) {
        return lease.status() == LeaseStatus.ENDING || lease.status() == LeaseStatus.DELETING;
    }

    private static LeaseView withReason(LeaseView lease, @Nullable String reason) {
        if (reason != null) {
            return lease.explained(reason);
        }
        if (lease.explanation() != null) {
            return lease;
        }
        // The first attempt waits or runs.
        return switch (lease.status()) {
            case STARTING -> lease.explained(unfinished(Action.START) + ".");
            case ENDING, DELETING -> lease.explained(unfinished(Action.END) + ".");
            // An operator has retried a failed change, or the lease was imported.
            case ACTIVE -> lease.degraded() ? lease.explained(degradation(lease)) : lease;
            case RETRYING, PENDING, DELAYED, ENDED, ERROR -> lease;
        };
    }

    private static String degradation(LeaseView lease) {
        return lease.reservations().stream().anyMatch(ReservationView::lacksResources)
                ? "It has fewer resources than it was granted."
                : "Other resources took the place of some that could not serve.";
    }

    private static String formatReason(StuckAction action, Action what) {
        @Nullable String fault = action.lastFault();
        return unfinished(what)
                + ", after %s %s: %s"
                        .formatted(
                                action.attempts(),
                                action.attempts() == 1 ? "try" : "tries",
                                fault == null
                                        ? "the engine stopped meanwhile"
                                        : Fault.forHolder(fault));
    }

    private static String unfinished(Action what) {
        return "The cloud has not done its part of the %s yet".formatted(actionName(what));
    }

    private static String actionName(Action what) {
        return switch (what) {
            case PREPARE, START -> "start";
            case ADJUST -> "change";
            case BEFORE_END, END -> "end";
        };
    }
}
