package org.leasehold.gateway.api.event;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.limits.ClientThreadMarker;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.readmodel.event.EventFeed.Question;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.vocabulary.UserId;
import org.springframework.context.SmartLifecycle;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Requests that wait for events. Each has a thread, which costs next to nothing while it waits, and
 * a slot. The number of slots is limited: a request beyond the limit of its user ends that user's
 * oldest one, which most likely has lost its client unnoticed.
 */
public final class EventWaiters implements SmartLifecycle {

    static final int MAX_WAITERS_PER_USER = 8;
    static final int MAX_WAITERS = 200;

    /** The shortest interval between two queries of the database. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** The longest time until a request notices that it has lost its slot. */
    private static final Duration SLOT_CHECK_INTERVAL = Duration.ofSeconds(1);

    private final EventFeed feed;
    private final ProjectionOffsets projections;
    private final Map<UserId, Deque<Slot>> slotsByUser = new HashMap<>();
    private int usedSlots;
    private volatile boolean running;

    public EventWaiters(EventFeed feed, ProjectionOffsets projections) {
        this.feed = feed;
        this.projections = projections;
    }

    /** The slot of a request. */
    final class Slot {

        private volatile boolean held = true;

        boolean isHeld() {
            return held && running;
        }

        void release() {
            held = false;
        }
    }

    /**
     * Starts a thread for work that waits.
     *
     * @param errand ends shortly after it has lost its slot
     * @throws ProblemException if there is no slot
     */
    Slot startWaiter(UserId user, Consumer<Slot> errand) {
        Slot slot = acquireSlot(user);
        Thread.ofVirtual()
                .name("events")
                .start(
                        () -> {
                            try (ClientThreadMarker.Mark _ = ClientThreadMarker.mark()) {
                                errand.accept(slot);
                            } finally {
                                releaseSlot(user, slot);
                            }
                        });
        return slot;
    }

    private synchronized Slot acquireSlot(UserId user) {
        if (usedSlots == MAX_WAITERS) {
            throw tooManyWaiters(
                    Limit.STREAMS,
                    "At most %d requests wait for events on a node at once.",
                    MAX_WAITERS);
        }
        Deque<Slot> own = slotsByUser.computeIfAbsent(user, _ -> new ArrayDeque<>());
        // A request that has lost its slot uses a thread until it notices.
        if (own.size() == 2 * MAX_WAITERS_PER_USER) {
            throw tooManyWaiters(
                    Limit.STREAMS_OF_USER,
                    "At most %d requests of a user wait for events.",
                    MAX_WAITERS_PER_USER);
        }
        List<Slot> held = own.stream().filter(slot -> slot.held).toList();
        if (held.size() == MAX_WAITERS_PER_USER) {
            held.getFirst().release();
        }
        Slot slot = new Slot();
        own.addLast(slot);
        usedSlots++;
        return slot;
    }

    private static ProblemException tooManyWaiters(Limit limit, String detail, int max) {
        return new ProblemException(
                Problem.of(429, "too-many-streams", String.format(Locale.ROOT, detail, max)),
                limit);
    }

    private synchronized void releaseSlot(UserId user, Slot slot) {
        usedSlots--;
        Deque<Slot> own = slotsByUser.get(user);
        if (own != null && own.remove(slot) && own.isEmpty()) {
            slotsByUser.remove(user);
        }
    }

    /** Returns the next events; none if none came in time, or the slot is lost. */
    Batch await(Slot slot, Question question, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        Batch batch = feed.next(question);
        long left = end - System.nanoTime();
        while (slot.isHeld() && batch.entries().isEmpty() && left > 0) {
            long standing =
                    projections.await(
                            EventFeed.READ_MODEL,
                            batch.through() + 1,
                            Duration.ofNanos(Math.min(left, SLOT_CHECK_INTERVAL.toNanos())));
            Thread.sleep(POLL_INTERVAL);
            if (standing > batch.through()) {
                batch = feed.next(question.from(batch.through()));
            }
            left = end - System.nanoTime();
        }
        return batch;
    }

    @Override
    public void start() {
        running = true;
    }

    /** Stops before the server waits for running requests: these would not end. */
    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
