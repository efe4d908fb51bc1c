package org.leasehold.command.calendar;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps the index up to date: all claims to begin with, then what the events say, those of other
 * nodes included. Where an event does not tell what became of a claim, the claim is read again.
 */
final class ClaimFeed implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimFeed.class);

    private static final Duration SWEEP = Duration.ofMinutes(10);
    private static final int BATCH = 500;

    private final StreamableMessageSource<TrackedEventMessage<?>> journal;
    private final Claims claims;
    private final Holders holders;
    private final ClaimIndex index;
    private final Clock clock;
    private final AtomicReference<Thread> follower = new AtomicReference<>();
    private Instant swept = Instant.MIN;
    private long position;

    ClaimFeed(
            StreamableMessageSource<TrackedEventMessage<?>> journal,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            Clock clock) {
        this.journal = journal;
        this.claims = claims;
        this.holders = holders;
        this.index = index;
        this.clock = clock;
    }

    @Override
    public void start() {
        Thread thread = Thread.ofPlatform().name("calendar-index").daemon().unstarted(this::run);
        follower.set(thread);
        thread.start();
    }

    @Override
    public boolean isRunning() {
        return follower.get() != null;
    }

    @Override
    public void stop() {
        Thread running = follower.getAndSet(null);
        if (running != null) {
            running.interrupt();
        }
    }

    /** Waits until all events up to a position are taken in; false if that takes too long. */
    synchronized boolean reaches(long wanted, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (index.isReady() && position < wanted) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return index.isReady();
    }

    private synchronized void reached(long newPosition) {
        position = newPosition;
        notifyAll();
    }

    private void run() {
        while (isRunning()) {
            try {
                follow();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.warn("The index of claims begins anew: {}", e.toString());
                pause();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow() throws InterruptedException {
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
        long start = live.position();
        try (BlockingStream<TrackedEventMessage<?>> events =
                journal.openStream(new GlobalSequenceTrackingToken(start))) {
            index.complete();
            reached(start);
            while (isRunning()) {
                if (events.hasNextAvailable(1, TimeUnit.SECONDS)) {
                    reached(take(events));
                }
                sweep();
            }
        }
    }

    private long take(BlockingStream<TrackedEventMessage<?>> events) throws InterruptedException {
        Set<LeaseId> unclear = new HashSet<>();
        long last = 0;
        for (int taken = 0; taken < BATCH && events.peek().isPresent(); taken++) {
            TrackedEventMessage<?> event = events.nextAvailable();
            last = event.trackingToken().position().orElseThrow();
            if (event.getPayload() instanceof LeaseEvent leaseEvent) {
                take(leaseEvent, unclear);
            }
        }
        if (!unclear.isEmpty()) {
            Claims.Live live = claims.live(unclear, clock.instant());
            unclear.forEach(lease -> index.put(lease, live.leases().getOrDefault(lease, Map.of())));
        }
        return last;
    }

    /** Adds the lease to those that are unclear if the event does not say what it holds now. */
    private void take(LeaseEvent event, Set<LeaseId> unclear) {
        switch (event) {
            case ReservationGranted granted -> {
                if (!unclear.contains(granted.leaseId())) {
                    index.put(granted.leaseId(), granted.reservationId(), held(granted));
                }
            }
            case LeaseStarting(var lease, var tenures) ->
                    tenures.forEach(t -> index.takeAll(lease, t.reservation()));
            case ReservationAdjusting(var lease, var tenure, var joining, _) ->
                    index.take(lease, tenure.reservation(), joining);
            case ReservationAdjusted(var lease, var reservation, var left) ->
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
                    LeaseChangeRefused _,
                    LeaseDelayed _,
                    ReservationActivated _,
                    LeaseActivated _,
                    ReservationFailed _,
                    LeaseEndAnnounced _ -> {}
        }
    }

    private static List<Claim> held(ReservationGranted granted) {
        LeasePeriod window = Claims.toClaim(granted.period(), granted.cleaning());
        return granted.allocations().stream()
                .map(Allocation::resource)
                .map(resource -> new Claim(resource, window))
                .toList();
    }

    private void sweep() {
        Instant now = clock.instant();
        if (now.isAfter(swept.plus(SWEEP))) {
            index.forgetBefore(now);
            swept = now;
        }
    }
}
