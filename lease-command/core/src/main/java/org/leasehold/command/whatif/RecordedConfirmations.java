package org.leasehold.command.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.lease.ReplayedLease;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.vocabulary.LeaseId;

import java.util.Map;
import java.util.Optional;

/**
 * Derives recorded confirmations of smaller requests from their events. The calendar frees capacity
 * at each of them. All other confirmations are only followed.
 */
final class RecordedConfirmations {

    private RecordedConfirmations() {}

    /** Detects a confirmation whose new request and new grant are no change by a user. */
    static boolean isReduction(CommandEvents turn) {
        return turn.has(ReservationGranted.class) && turn.has(ReservationAdjusted.class);
    }

    /**
     * Returns the confirmation, in the recorded tenure.
     *
     * @param before the lease before these events
     */
    static Optional<LeaseCommand> find(LeaseId id, ReplayedLease before, CommandEvents turn) {
        Optional<LeaseCommand> started =
                turn.findFirst(ReservationActivated.class)
                        .flatMap(event -> confirmation(id, before, event));
        return started.or(
                () ->
                        turn.findFirst(ReservationAdjusted.class)
                                .flatMap(event -> confirmation(id, before, event)));
    }

    private static Optional<LeaseCommand> confirmation(
            LeaseId id, ReplayedLease before, ReservationActivated event) {
        return before.findTenure(event.reservationId())
                .map(tenure -> new ConfirmStart(id, tenure, idsOrNone(event.cloudIds())));
    }

    private static Optional<LeaseCommand> confirmation(
            LeaseId id, ReplayedLease before, ReservationAdjusted event) {
        return before.findTenure(event.reservationId())
                .map(tenure -> new ConfirmAdjustment(id, tenure, idsOrNone(event.cloudIds())));
    }

    private static Map<String, Object> idsOrNone(@Nullable Map<String, Object> cloudIds) {
        return cloudIds == null ? Map.of() : cloudIds;
    }
}
