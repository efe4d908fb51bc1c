package org.leasehold.command.calendar;

import org.leasehold.command.calendar.FreeTime.Claim;
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
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a node learns of the calendar: all claims to begin with, then what the events say, those of
 * other nodes included. Where an event does not tell what became of a claim, the claim is read
 * again.
 */
final class ClaimFollower {

    private static final Duration SWEEP = Duration.ofMinutes(10);

    private final Claims claims;
    private final Holders holders;
    private final ClaimIndex index;
    private final Clock clock;
    private Instant swept = Instant.MIN;

    ClaimFollower(Claims claims, Holders holders, ClaimIndex index, Clock clock) {
        this.claims = claims;
        this.holders = holders;
        this.index = index;
        this.clock = clock;
    }

    /** Learns everything anew; returns the position of the first event that may be news. */
    long begin() {
        index.start();
        swept = clock.instant();
        Claims.Live live = claims.live(swept);
        live.leases().forEach(index::put);
        holders.all()
                .forEach(
                        taken ->
                                index.take(
                                        taken.lease(),
                                        taken.tenure().reservation(),
                                        Set.of(taken.resource())));
        return live.position();
    }

    /** Takes in what was committed next. */
    void take(List<LeaseEvent> events) {
        Set<LeaseId> unclear = new HashSet<>();
        events.forEach(event -> take(event, unclear));
        if (!unclear.isEmpty()) {
            Claims.Live live = claims.live(unclear, clock.instant());
            unclear.forEach(lease -> index.put(lease, live.leases().getOrDefault(lease, Map.of())));
        }
    }

    /** Adds the lease to those that are unclear if the event does not say what it holds now. */
    private void take(LeaseEvent event, Set<LeaseId> unclear) {
        switch (event) {
            case ReservationGranted granted -> {
                if (!unclear.contains(granted.leaseId())) {
                    index.put(granted.leaseId(), granted.reservationId(), held(granted));
                }
            }
            case LeaseImported(var lease, _, var tenures) ->
                    tenures.forEach(t -> index.takeAll(lease, t.reservation()));
            case LeaseStarting(var lease, var tenures) ->
                    tenures.forEach(t -> index.takeAll(lease, t.reservation()));
            case ReservationAdjusting(var lease, var tenure, var joining, _) ->
                    index.take(lease, tenure.reservation(), joining);
            case ReservationAdjusted(var lease, var reservation, var left, _) ->
                    index.letGo(lease, reservation, left);
            case ReservationReleased(var lease, var reservation) ->
                    index.letAllGo(lease, reservation);
            case LeaseEnded(var lease, _) -> {
                index.letAllGo(lease);
                unclear.add(lease);
            }
            case ResourceReplaced _, LeaseEnding _, LeaseDeleted _ -> unclear.add(event.leaseId());
            case LeaseRequested _,
                    LeaseRefused _,
                    LeaseRenamed _,
                    LeaseRescheduled _,
                    ReservationChanged _,
                    ReservationAdded _,
                    LeaseChangeRefused _,
                    LeaseDelayed _,
                    ReservationActivated _,
                    LeaseActivated _,
                    ReservationFailed _,
                    ResourceFailed _,
                    ResourceRecovered _,
                    LeaseEndAnnounced _ -> {}
        }
    }

    private static List<Claim> held(ReservationGranted granted) {
        LeasePeriod window = Claims.toClaim(granted.period(), granted.cleaning());
        return granted.allocations().stream()
                .map(held -> new Claim(held.resource(), window, held.share()))
                .toList();
    }

    /** Forgets, now and then, what is over. */
    void sweep() {
        Instant now = clock.instant();
        if (now.isAfter(swept.plus(SWEEP))) {
            index.forgetBefore(now);
            swept = now;
        }
    }
}
