package org.leasehold.command.calendar.index;

import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
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
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fills the index of a node: first with all claims, then by the events of all nodes. Where an event
 * does not show the new state of a claim, it reads the claim again.
 */
public final class ClaimIndexProjection {

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);

    private final Claims claims;
    private final Holders holders;
    private final ClaimIndex index;
    private final Clock clock;
    private Instant lastSweep = Instant.MIN;

    public ClaimIndexProjection(Claims claims, Holders holders, ClaimIndex index, Clock clock) {
        this.claims = claims;
        this.holders = holders;
        this.index = index;
        this.clock = clock;
    }

    /** Fills the index again; returns the position of the first event that may be missing in it. */
    public long rebuild() {
        index.clear();
        lastSweep = clock.instant();
        Claims.Live live = claims.findUnexpired(lastSweep);
        live.leases().forEach(index::replaceClaims);
        holders.findAll()
                .forEach(
                        taken ->
                                index.addHolder(
                                        taken.lease(),
                                        taken.tenure().reservation(),
                                        Set.of(taken.resource())));
        return live.position();
    }

    /** Applies the next committed events. */
    public void apply(List<LeaseEvent> events) {
        Set<LeaseId> unclear = new HashSet<>();
        events.forEach(event -> apply(event, unclear));
        if (!unclear.isEmpty()) {
            Claims.Live live = claims.findUnexpired(unclear, clock.instant());
            unclear.forEach(
                    lease ->
                            index.replaceClaims(
                                    lease, live.leases().getOrDefault(lease, Map.of())));
        }
    }

    /**
     * Applies an event; adds the lease to the unclear ones if the event does not show its claims.
     */
    private void apply(LeaseEvent event, Set<LeaseId> unclear) {
        switch (event) {
            case ReservationGranted granted -> {
                if (!unclear.contains(granted.leaseId())) {
                    index.replaceClaims(
                            granted.leaseId(), granted.reservationId(), claimsOf(granted));
                }
            }
            case LeaseImported(var lease, _, var tenures) ->
                    tenures.forEach(t -> index.addHolderOfClaims(lease, t.reservation()));
            case LeaseStarting(var lease, var tenures, _) ->
                    tenures.forEach(t -> index.addHolderOfClaims(lease, t.reservation()));
            case ReservationAdjusting(var lease, var tenure, var joining, _, _) ->
                    index.addHolder(lease, tenure.reservation(), joining);
            case ReservationAdjusted(var lease, var reservation, var left, _, _) ->
                    index.removeHolder(lease, reservation, left);
            case ReservationReleased(var lease, var reservation) ->
                    index.removeHolders(lease, reservation);
            case LeaseEnded(var lease, _) -> {
                index.removeHolders(lease);
                unclear.add(lease);
            }
            case ResourceReplaced _, ReservationRemoved _, LeaseEnding _, LeaseDeleted _ ->
                    unclear.add(event.leaseId());
            case LeaseRequested _,
                    LeaseRefused _,
                    LeaseRetryScheduled _,
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

    private static List<Claim> claimsOf(ReservationGranted granted) {
        LeasePeriod window = Claims.claimWindow(granted.period(), granted.cleaning());
        return granted.allocations().stream()
                .map(held -> new Claim(held.resource(), window, held.share()))
                .toList();
    }

    /** Removes claims that are over, now and then. */
    public void removeEndedClaims() {
        Instant now = clock.instant();
        if (now.isAfter(lastSweep.plus(SWEEP_INTERVAL))) {
            index.removeEndedBefore(now);
            lastSweep = now;
        }
    }
}
