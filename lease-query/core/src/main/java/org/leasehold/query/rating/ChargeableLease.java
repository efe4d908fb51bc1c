package org.leasehold.query.rating;

import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.LeaseAccounts;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The chargeable data of a lease.
 *
 * @param account all of it, up to an instant
 * @param kinds of its reservations
 * @param promised the first grant of each of them, without those that another service granted
 */
record ChargeableLease(
        List<AccountEntry> account,
        Map<ReservationId, ResourceKind> kinds,
        Map<ReservationId, Instant> promised) {

    /**
     * Returns that of a lease's events.
     *
     * @param life the events of one lease, from the first one on
     * @param until later time is not known yet
     */
    static ChargeableLease of(List<RecordedEvent> life, Instant until) {
        Map<ReservationId, ResourceKind> kinds = new LinkedHashMap<>();
        Map<ReservationId, Instant> promised = new LinkedHashMap<>();
        Set<ReservationId> granted = new HashSet<>();
        for (RecordedEvent each : life) {
            switch ((LeaseEvent) each.event()) {
                case LeaseRequested requested ->
                        requested.reservations().forEach(wish -> kinds.put(wish.id(), wish.kind()));
                case ReservationAdded(_, var wish) -> kinds.put(wish.id(), wish.kind());
                case ReservationGranted(_, var id, _, _, _) -> {
                    // A change also grants its unchanged reservations again.
                    if (granted.add(id)) {
                        promised.put(id, each.decidedAt().truncatedTo(ChronoUnit.MICROS));
                    }
                }
                // It was promised elsewhere, and its fee was to be paid there.
                case LeaseImported _ -> promised.clear();
                case LeaseRefused _,
                        LeaseRetryScheduled _,
                        LeaseRenamed _,
                        LeaseRescheduled _,
                        ReservationChanged _,
                        LeaseChangeRefused _,
                        ResourceReplaced _,
                        LeaseDelayed _,
                        LeaseStarting _,
                        ReservationActivated _,
                        ReservationAdjusting _,
                        ReservationAdjusted _,
                        ReservationFailed _,
                        ResourceFailed _,
                        ResourceRecovered _,
                        LeaseActivated _,
                        LeaseEndAnnounced _,
                        LeaseEnding _,
                        ReservationRemoved _,
                        ReservationReleased _,
                        LeaseEnded _,
                        LeaseDeleted _ -> {
                    // Its consequences are in the account.
                }
            }
        }
        return new ChargeableLease(
                LeaseAccounts.of(LeaseBookings.of(life), until), kinds, promised);
    }
}
