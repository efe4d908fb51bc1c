package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.invariants.Holdings.Possession;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
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
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.ResourceMove;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The expected promises and holders of resources, computed from the events alone and independently
 * of the engine. It reports everything that no history may contain.
 */
public final class ExpectedState {

    private final ExpectedRecords records = new ExpectedRecords();
    private final ExpectedUsage usage = new ExpectedUsage(records.promises, records.holdings);
    private final Consumer<String> violations;
    private final ExpectedGrants grants;
    private final ExpectedTenures tenures;
    private final ExpectedRetries retries;

    public ExpectedState(Consumer<String> violations) {
        this.violations = violations;
        this.grants = new ExpectedGrants(records, violations);
        this.tenures = new ExpectedTenures(records, violations);
        this.retries = new ExpectedRetries(violations);
    }

    public Map<ResourceId, ExpectedResourceState> resources() {
        return Collections.unmodifiableMap(records.resources);
    }

    public Map<LeaseId, ExpectedLeaseState> leases() {
        return Collections.unmodifiableMap(records.leases);
    }

    public @Nullable ExpectedReservationState find(ReservationId reservation) {
        return records.reservations.get(reservation);
    }

    /** Returns the reservations of the lease that a reservation belongs to, or belonged to. */
    public List<ExpectedReservationState> inLeaseOf(ReservationId reservation) {
        return records.reservation(reservation).lease.reservations.stream()
                .map(records::reservation)
                .filter(other -> !other.removed)
                .toList();
    }

    public PromisedWindows promises() {
        return records.promises;
    }

    public Holdings holdings() {
        return records.holdings;
    }

    public ExpectedUsage usage() {
        return usage;
    }

    /** Returns the time for which projects had resources, counting only returned ones. */
    public Map<ProjectId, Duration> usedTime() {
        return tenures.usedTime();
    }

    /**
     * Reports double promises since the last check; returns the resources with any change. Call it
     * between transactions.
     */
    public Set<ResourceId> checkPromises() {
        return records.promises.check(violations);
    }

    public void apply(ResourceEvent event) {
        records.promises.markChanged(event.resourceId());
        switch (event) {
            case ResourceEnrolled enrolled ->
                    records.resources.put(
                            enrolled.resourceId(), new ExpectedResourceState(enrolled));
            case ResourceChanged changed -> records.resource(changed.resourceId()).change(changed);
            case ResourceDescribed described ->
                    records.resource(described.resourceId()).change(described);
            case ResourceDisabled disabled ->
                    records.resource(disabled.resourceId()).disable(disabled);
            case ResourceEnabled enabled -> records.resource(enabled.resourceId()).enable();
            case ResourceRetired(var id) -> {
                if (records.holdings.holder(id) != null) {
                    violations.accept(id + " was retired while a lease held it");
                }
                records.resources.remove(id);
            }
        }
    }

    /**
     * Returns whether a refusal has the reasons of an earlier attempt, because the window could no
     * longer be met. Call it before the state includes the refusal.
     */
    public boolean isRepeated(LeaseRefused refusal, Instant decided) {
        return retries.isRepeated(refusal, decided);
    }

    /** Returns the time of the next planned attempt; empty for a lease that is not retried. */
    public Optional<Instant> nextAttempt(LeaseId lease) {
        return retries.nextAttempt(lease);
    }

    /** Applies an event that was decided at a time and stored at another. */
    public void apply(LeaseEvent event, Instant decided, Instant stored) {
        if (retries.apply(event, decided)) {
            // Nothing was promised.
            return;
        }
        applyChange(event, decided, stored);
        ExpectedLeaseState lease = records.leases.get(event.leaseId());
        if (lease != null) {
            // An imported lease has had its resources since the start of its window.
            Instant since = event instanceof LeaseImported ? lease.period.start() : decided;
            lease.reservations.forEach(id -> usage.observe(lease, records.reservation(id), since));
        }
    }

    private void applyChange(LeaseEvent event, Instant decided, Instant stored) {
        switch (event) {
            case LeaseRequested requested -> request(requested);
            case LeaseRescheduled rescheduled ->
                    records.lease(rescheduled).period = Window.of(rescheduled.period());
            case ReservationChanged changed ->
                    records.reservation(changed.reservationId()).parameters = changed.parameters();
            case ReservationAdded added -> add(added.reservation(), records.lease(added));
            case ReservationGranted granted -> grants.grant(granted);
            case ResourceReplaced replaced -> grants.replace(replaced, decided);
            case LeaseStarting starting -> tenures.start(starting, decided, stored);
            case LeaseImported imported -> tenures.importLease(imported, stored);
            case ReservationAdjusting adjusting -> {
                tenures.holdResources(
                        records.reservation(adjusting.tenure().reservation()),
                        adjusting.joining(),
                        stored);
                applyMoves(adjusting);
            }
            case ReservationActivated activated ->
                    ExpectedTenures.markRunning(records.reservation(activated.reservationId()));
            case ReservationAdjusted adjusted -> {
                tenures.releaseResources(
                        records.reservation(adjusted.reservationId()), adjusted.left(), stored);
                ExpectedTenures.markRunning(records.reservation(adjusted.reservationId()));
                records.reservation(adjusted.reservationId()).replacedResources.clear();
            }
            case ReservationRemoved removed -> tenures.remove(removed, decided);
            case LeaseEnding ending -> tenures.endInCalendar(records.lease(ending), decided);
            case ReservationReleased released -> tenures.release(released, decided, stored);
            case LeaseEnded ended -> tenures.end(ended);
            case LeaseDeleted deleted -> tenures.delete(deleted);
            case LeaseDelayed delayed -> records.lease(delayed).delayedOrFailed = true;
            case ReservationFailed failed -> failReservation(failed);
            case ResourceFailed failed -> failResource(failed);
            case ResourceRecovered recovered -> recoverResource(recovered);
            case LeaseRefused _,
                    LeaseRetryScheduled _,
                    LeaseRenamed _,
                    LeaseChangeRefused _,
                    LeaseActivated _,
                    LeaseEndAnnounced _ -> {
                // No effect on resources.
            }
        }
    }

    private void applyMoves(ReservationAdjusting event) {
        List<ResourceMove> moves = event.moves();
        if (moves != null) {
            moves.forEach(
                    move ->
                            records.reservation(event.tenure().reservation())
                                    .replacedResources
                                    .add(move.from()));
        }
    }

    private void request(LeaseRequested event) {
        ExpectedLeaseState lease =
                new ExpectedLeaseState(event.projectId(), Window.of(event.period()));
        records.leases.put(event.leaseId(), lease);
        event.reservations().forEach(wish -> add(wish, lease));
    }

    private void add(ReservationWish wish, ExpectedLeaseState lease) {
        lease.reservations.add(wish.id());
        records.reservations.put(wish.id(), new ExpectedReservationState(wish, lease));
    }

    private void failReservation(ReservationFailed event) {
        records.lease(event).delayedOrFailed = true;
        if (event.action() == Action.START) {
            records.reservation(event.reservationId()).running.clear();
            records.reservation(event.reservationId()).activated = false;
        }
    }

    private void failResource(ResourceFailed event) {
        ExpectedReservationState reservation = records.reservation(event.reservationId());
        if (!reservation.id.equals(records.holdings.holder(event.resourceId()))
                || !reservation.downResources.add(event.resourceId())) {
            violations.accept("it has not, or has lost already: " + event);
        }
    }

    private void recoverResource(ResourceRecovered event) {
        if (!records.reservation(event.reservationId()).downResources.remove(event.resourceId())) {
            violations.accept("it had never lost: " + event);
        }
    }

    /** Returns resources that are down without their holder's knowledge, or vice versa. */
    public Set<ResourceId> findOutageMismatches() {
        Set<ResourceId> misjudged = new TreeSet<>();
        for (Possession possession : records.holdings.present()) {
            ResourceId resource = possession.resource();
            ExpectedReservationState holder = records.reservation(possession.reservation());
            if (holder.resources.contains(resource)
                    && !holder.lease.ending
                    && !holder.removed
                    && holder.downResources.contains(resource)
                            != records.resource(resource).isDown()) {
                misjudged.add(resource);
            }
        }
        return misjudged;
    }
}
