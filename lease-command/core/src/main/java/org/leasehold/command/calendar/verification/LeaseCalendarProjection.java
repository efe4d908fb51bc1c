package org.leasehold.command.calendar.verification;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
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
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The calendar's rows for one lease, computed from its events alone, in another way than they are
 * written. They verify the tables, and begin a replay in the middle of the log; they do not fill
 * the tables.
 */
public final class LeaseCalendarProjection {

    private final Map<Slot, Promise> promises = new HashMap<>();
    private final Map<Slot, Tenure> holders = new HashMap<>();
    private final Map<ReservationId, Duration> cleaningTimes = new HashMap<>();
    private final Set<Slot> sharedSlots = new HashSet<>();
    private final Set<ReservationId> removed = new HashSet<>();
    private String project = "";
    private Instant end = Instant.MIN;
    private boolean ending;

    private LeaseCalendarProjection() {}

    public static LeaseCalendarProjection of(List<RecordedEvent> life) {
        LeaseCalendarProjection calendar = new LeaseCalendarProjection();
        for (int i = 0; i < life.size(); i++) {
            Instant at = life.get(i).decidedAt().truncatedTo(ChronoUnit.MICROS);
            boolean first = i == 0 || !life.get(i - 1).decidedAt().equals(life.get(i).decidedAt());
            if (first && isForcedEnd(life, i)) {
                calendar.shortenAllPromises(at);
            }
            calendar.apply((LeaseEvent) life.get(i).event(), at);
        }
        return calendar;
    }

    /** Returns whether a forced end follows: it shortens the claims before anything is released. */
    private static boolean isForcedEnd(List<RecordedEvent> life, int first) {
        Instant decidedAt = life.get(first).decidedAt();
        return life.stream()
                .skip(first)
                .takeWhile(event -> event.decidedAt().equals(decidedAt))
                .anyMatch(
                        event ->
                                event.event() instanceof LeaseEnded(var _, EndCause cause)
                                        && cause == EndCause.FORCED);
    }

    private void apply(LeaseEvent event, Instant at) {
        switch (event) {
            case LeaseRequested requested -> {
                project = requested.projectId().value();
                end = requested.period().end();
            }
            case LeaseRescheduled rescheduled -> end = rescheduled.period().end();
            case ReservationGranted granted -> grant(granted);
            case ResourceReplaced replaced -> replace(replaced, at);
            case LeaseStarting starting ->
                    starting.tenures()
                            .forEach(
                                    tenure ->
                                            setHolder(
                                                    promisedResources(tenure.reservation()),
                                                    tenure));
            case LeaseImported(_, _, var tenures) ->
                    tenures.forEach(
                            tenure -> setHolder(promisedResources(tenure.reservation()), tenure));
            case ReservationAdjusting(var _, Tenure tenure, var joining, var _, var _) -> {
                setHolder(joining, tenure);
                holders.replaceAll(
                        (_, held) ->
                                held.reservation().equals(tenure.reservation()) ? tenure : held);
            }
            case ReservationAdjusted(var _, ReservationId reservation, var left, var _, var _) ->
                    left.forEach(resource -> holders.remove(new Slot(reservation, resource)));
            case LeaseEnding _ -> {
                // The end may be requested again when the cloud has failed it; the calendar gets
                // one request only.
                if (!ending) {
                    shortenAllPromises(at);
                }
                ending = true;
            }
            case ReservationRemoved(var _, ReservationId reservation, var _) -> {
                // The removal may be repeated, too.
                if (removed.add(reservation)) {
                    shortenPromises(at, reservation::equals);
                }
            }
            case ReservationReleased(var _, ReservationId reservation) ->
                    holders.keySet().removeIf(slot -> slot.reservation().equals(reservation));
            case LeaseRefused _,
                    LeaseRetryScheduled _,
                    LeaseRenamed _,
                    ReservationChanged _,
                    ReservationAdded _,
                    LeaseChangeRefused _,
                    LeaseDelayed _,
                    ReservationActivated _,
                    LeaseActivated _,
                    ReservationFailed _,
                    ResourceFailed _,
                    ResourceRecovered _,
                    LeaseEndAnnounced _,
                    LeaseEnded _,
                    LeaseDeleted _ -> {}
        }
    }

    private void grant(ReservationGranted event) {
        ReservationId reservation = event.reservationId();
        promises.keySet().removeIf(slot -> slot.reservation().equals(reservation));
        cleaningTimes.put(reservation, event.cleaning());
        for (Allocation allocation : event.allocations()) {
            addPromise(
                    new Slot(reservation, allocation.resource()),
                    new Promise(
                            event.period().start().truncatedTo(ChronoUnit.MICROS),
                            event.period().end().truncatedTo(ChronoUnit.MICROS),
                            event.cleaning(),
                            allocation.share()));
        }
    }

    private void addPromise(Slot slot, Promise promise) {
        promises.put(slot, promise);
        if (promise.share() != null) {
            sharedSlots.add(slot);
        }
    }

    private void replace(ResourceReplaced event, Instant at) {
        ReservationId reservation = event.reservationId();
        Promise before = promises.remove(new Slot(reservation, event.replaced()));
        // A lease that has not started keeps its window.
        Instant from = before == null || at.isAfter(before.from()) ? at : before.from();
        addPromise(
                new Slot(reservation, event.replacement().resource()),
                new Promise(
                        from,
                        end.truncatedTo(ChronoUnit.MICROS),
                        Objects.requireNonNull(cleaningTimes.get(reservation)),
                        event.replacement().share()));
    }

    private List<ResourceId> promisedResources(ReservationId reservation) {
        List<ResourceId> resources = new ArrayList<>();
        promises.keySet().stream()
                .filter(slot -> slot.reservation().equals(reservation))
                .forEach(slot -> resources.add(slot.resource()));
        return resources;
    }

    private void setHolder(List<ResourceId> resources, Tenure tenure) {
        resources.forEach(
                resource -> holders.put(new Slot(tenure.reservation(), resource), tenure));
    }

    /** Shortens the promises of the reservations that the lease still has. */
    private void shortenAllPromises(Instant at) {
        shortenPromises(at, reservation -> !removed.contains(reservation));
    }

    /** Shortens promises; resources that were not held need no cleaning. */
    private void shortenPromises(Instant at, Predicate<ReservationId> which) {
        promises.replaceAll(
                (slot, promise) -> {
                    if (!which.test(slot.reservation())) {
                        return promise;
                    }
                    boolean held = holders.containsKey(slot);
                    return promise.until(at, held ? promise.cleaning() : Duration.ZERO);
                });
        promises.values().removeIf(promise -> !promise.from().isBefore(promise.endOfCleaning()));
    }

    String project() {
        return project;
    }

    public Map<Slot, Promise> promises() {
        return promises;
    }

    public Map<Slot, Tenure> holders() {
        return holders;
    }

    /** Returns whether a share was promised there, even if it is no longer. */
    public boolean isShare(Slot slot) {
        return sharedSlots.contains(slot);
    }

    /** The use of a resource by a reservation. */
    public record Slot(ReservationId reservation, ResourceId resource) {}

    /**
     * The period in which a resource may be used, and the cleaning time after it.
     *
     * @param share the share of it; null for the whole
     */
    public record Promise(Instant from, Instant until, Duration cleaning, @Nullable Share share) {

        public Instant endOfCleaning() {
            return until.plus(cleaning);
        }

        private Promise until(Instant at, Duration pad) {
            return endOfCleaning().isAfter(at.plus(pad)) ? new Promise(from, at, pad, share) : this;
        }
    }
}
