package org.leasehold.gateway.api;

import org.leasehold.gateway.limits.ClientThread;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.lease.UserId;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Batch;
import org.leasehold.query.Feed.Question;
import org.leasehold.query.Projections;
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
final class EventWaiters implements SmartLifecycle {

    static final int OF_ONE_USER = 8;
    static final int OF_ALL = 200;

    /** The shortest interval between two queries of the database. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /** The longest time until a request notices that it has lost its slot. */
    private static final Duration AT_A_TIME = Duration.ofSeconds(1);

    private final Feed feed;
    private final Projections projections;
    private final Map<UserId, Deque<Place>> places = new HashMap<>();
    private int taken;
    private volatile boolean running;

    EventWaiters(Feed feed, Projections projections) {
        this.feed = feed;
        this.projections = projections;
    }

    /** The slot of a request. */
    final class Place {

        private volatile boolean held = true;

        boolean isHeld() {
            return held && running;
        }

        void giveUp() {
            held = false;
        }
    }

    /**
     * Starts a thread for work that waits.
     *
     * @param errand ends soon after it has lost its slot
     * @throws ProblemException if there is no slot
     */
    Place begin(UserId user, Consumer<Place> errand) {
        Place place = take(user);
        Thread.ofVirtual()
                .name("events")
                .start(
                        () -> {
                            try (ClientThread.Mark _ = ClientThread.mark()) {
                                errand.accept(place);
                            } finally {
                                free(user, place);
                            }
                        });
        return place;
    }

    private synchronized Place take(UserId user) {
        if (taken == OF_ALL) {
            throw tooMany(
                    Limit.STREAMS,
                    "At most %d requests wait for events on a node at once.",
                    OF_ALL);
        }
        Deque<Place> own = places.computeIfAbsent(user, _ -> new ArrayDeque<>());
        // A request that has lost its slot uses a thread until it notices.
        if (own.size() == 2 * OF_ONE_USER) {
            throw tooMany(
                    Limit.STREAMS_OF_USER,
                    "At most %d requests of a user wait for events.",
                    OF_ONE_USER);
        }
        List<Place> held = own.stream().filter(place -> place.held).toList();
        if (held.size() == OF_ONE_USER) {
            held.getFirst().giveUp();
        }
        Place place = new Place();
        own.addLast(place);
        taken++;
        return place;
    }

    private static ProblemException tooMany(Limit limit, String detail, int most) {
        return new ProblemException(
                Problem.of(429, "too-many-streams", String.format(Locale.ROOT, detail, most)),
                limit);
    }

    private synchronized void free(UserId user, Place place) {
        taken--;
        Deque<Place> own = places.get(user);
        if (own != null && own.remove(place) && own.isEmpty()) {
            places.remove(user);
        }
    }

    /** Returns the next events; none if none came in time, or the slot is lost. */
    Batch await(Place place, Question question, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        Batch batch = feed.next(question);
        long left = end - System.nanoTime();
        while (place.isHeld() && batch.entries().isEmpty() && left > 0) {
            long standing =
                    projections.await(
                            Feed.STANDS_ON,
                            batch.through() + 1,
                            Duration.ofNanos(Math.min(left, AT_A_TIME.toNanos())));
            Thread.sleep(BETWEEN_LOOKS);
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
