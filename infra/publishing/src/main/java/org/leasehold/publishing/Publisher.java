package org.leasehold.publishing;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Batch;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.Feed.Question;
import org.leasehold.query.Projections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Sends events to a broker: sends a batch in order, waits for all acknowledgements, stores the
 * offset. One of all nodes does so. The next owner begins at the stored offset: it repeats events
 * that were sent without one, and omits none. From the same offset, all owners send in the same
 * order. So even if two of them mix, no event first appears before one that precedes it.
 */
public final class Publisher implements Publication, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    private static final int PAGE = 100;
    private static final long MOST_BYTES = 16 << 20;

    /** Well within the time of the ownership. */
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(2);

    /** Limits the queries of the database without new events, whatever the read side reports. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private static final Duration WHILE_ANOTHER_PUBLISHES = Duration.ofSeconds(1);

    /** The timeout after which it reconnects: a topic may have been recreated meanwhile. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** The time to release the publication after its work was cancelled. */
    private static final Duration TO_GIVE_UP = Duration.ofSeconds(1);

    private final Place place;
    private final Feed feed;
    private final Projections projections;
    private final Choice choice;
    private final Supplier<? extends Line> lines;

    private @Nullable Line line;
    private @Nullable Thread thread;

    /** The batch size; small after a failure, to limit repeats before a rejected event. */
    private int most;

    /** The offset before the last batch. */
    private long begun;

    private boolean isCaughtUp;
    private volatile boolean stopping;
    private volatile boolean idle;
    private volatile boolean failing;

    /**
     * @param lines connects, or throws
     */
    public Publisher(
            Place place,
            Feed feed,
            Projections projections,
            Choice choice,
            Supplier<? extends Line> lines) {
        this.place = place;
        this.feed = feed;
        this.projections = projections;
        this.choice = choice;
        this.lines = lines;
        this.most = choice.atOnce();
    }

    @Override
    public String name() {
        return place.name();
    }

    @Override
    public long position() {
        return place.position();
    }

    @Override
    public boolean isFailing() {
        return failing;
    }

    @Override
    public synchronized boolean hasEnded() {
        return thread != null && !thread.isAlive();
    }

    @Override
    public synchronized void start() {
        stopping = false;
        thread = Thread.ofPlatform().daemon().name("publication-" + name()).start(this);
    }

    @Override
    public synchronized void stop(Duration within) throws InterruptedException {
        stopping = true;
        if (thread == null) {
            return;
        }
        if (idle) {
            thread.interrupt();
        }
        Duration patience = within.minus(TO_GIVE_UP);
        if (patience.isNegative() || !thread.join(patience)) {
            thread.interrupt();
            thread.join(TO_GIVE_UP);
        }
        thread = null;
    }

    @Override
    public void run() {
        Duration pause = FIRST_PAUSE;
        try {
            while (!stopping) {
                try {
                    OptionalLong position = publish();
                    look(position);
                    pause = FIRST_PAUSE;
                    rest(position);
                } catch (RuntimeException | Error e) {
                    most = 1;
                    failed(e);
                    sleep(pause);
                    Duration twice = pause.multipliedBy(2);
                    pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
                }
            }
        } catch (InterruptedException stopped) {
            // The next owner repeats the unfinished work.
        } finally {
            // The interrupt must not prevent the update of the database.
            boolean _ = Thread.interrupted();
            leave();
        }
    }

    /** Checks whether the failure is over: here, or for the node that took over. */
    private void look(OptionalLong position) {
        if (position.isPresent()
                ? isCaughtUp || most == choice.atOnce()
                : place.position() > begun) {
            recovered();
        }
    }

    private void rest(OptionalLong position) throws InterruptedException {
        if (position.isEmpty()) {
            sleep(WHILE_ANOTHER_PUBLISHES);
            return;
        }
        if (!isCaughtUp) {
            return;
        }
        sleep(BETWEEN_LOOKS);
        idle = true;
        try {
            if (!stopping) {
                projections.await(Feed.STANDS_ON, position.getAsLong() + 1, BETWEEN_RENEWALS);
            }
        } finally {
            idle = false;
        }
    }

    private void sleep(Duration pause) throws InterruptedException {
        idle = true;
        try {
            if (!stopping) {
                Thread.sleep(pause);
            }
        } finally {
            idle = false;
        }
    }

    /** Logs the failure once, however long it lasts. */
    private void failed(Throwable e) throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException();
        }
        if (!failing) {
            failing = true;
            LOG.atError()
                    .addKeyValue("publication", name())
                    .setCause(e)
                    .log("A publication cannot go on; it is tried again");
        }
        leave();
    }

    private void recovered() {
        if (failing) {
            failing = false;
            LOG.atInfo().addKeyValue("publication", name()).log("A publication goes on");
        }
    }

    /** Releases the publication: another node may succeed where this one fails. */
    private void leave() {
        disconnect();
        try {
            place.giveUp();
        } catch (RuntimeException | Error e) {
            // Without the database, the ownership expires after a while.
            LOG.atDebug().setCause(e).log("A publication could not be given up");
        }
    }

    /**
     * Closes the line at once: queued messages must not follow those of another node. A failure to
     * close does not end this thread.
     */
    private void disconnect() {
        if (line == null) {
            return;
        }
        Line closing = line;
        line = null;
        try {
            closing.close();
        } catch (RuntimeException | Error e) {
            LOG.atWarn()
                    .addKeyValue("publication", name())
                    .setCause(e)
                    .log("A connection to a broker was not closed");
        }
    }

    /**
     * Sends the next events, if there are any yet.
     *
     * @return the new offset; empty while another node publishes
     */
    public OptionalLong publish() throws InterruptedException {
        OptionalLong before = place.take();
        if (before.isEmpty()) {
            disconnect();
            return before;
        }
        begun = before.getAsLong();
        if (line != null && !line.isOpen()) {
            disconnect();
        }
        if (line == null) {
            line = lines.get();
            if (!place.renew()) {
                return overtaken();
            }
        }
        Flight flight = line.begin();
        OptionalLong after = send(begun, flight);
        if (after.isEmpty()) {
            return overtaken();
        }
        isCaughtUp = after.getAsLong() == begun;
        if (isCaughtUp) {
            return before;
        }
        if (landed(flight) && place.save(after.getAsLong())) {
            most = Math.min(2 * most, choice.atOnce());
            return after;
        }
        return overtaken();
    }

    /** Halves the next batch after it was too slow. */
    private OptionalLong overtaken() {
        most = Math.max(1, most / 2);
        disconnect();
        return OptionalLong.empty();
    }

    /** Sends a batch; returns its last position, or empty if another node publishes meanwhile. */
    private OptionalLong send(long after, Flight flight) throws InterruptedException {
        long renewed = System.nanoTime();
        long through = after;
        int left = most;
        int wanted;
        Batch page;
        do {
            wanted = Math.min(left, PAGE);
            page = feed.next(new Question(through, choice.audience(), choice.types(), wanted));
            for (Entry entry : page.entries()) {
                if (System.nanoTime() - renewed > BETWEEN_RENEWALS.toNanos()) {
                    if (!place.renew()) {
                        return OptionalLong.empty();
                    }
                    renewed = System.nanoTime();
                }
                flight.send(entry);
            }
            through = page.through();
            left -= page.entries().size();
        } while (page.entries().size() == wanted && left > 0 && flight.bytes() < MOST_BYTES);
        return OptionalLong.of(through);
    }

    /** Returns true if everything is acknowledged and the ownership was never lost. */
    private boolean landed(Flight flight) throws InterruptedException {
        int before = Integer.MAX_VALUE;
        long heard = System.nanoTime();
        int open = flight.await(BETWEEN_RENEWALS);
        while (open > 0) {
            if (!place.renew()) {
                return false;
            }
            // The number may also rise, when new messages were added.
            if (open != before) {
                before = open;
                heard = System.nanoTime();
            } else if (System.nanoTime() - heard > LONGEST_SILENCE.toNanos()) {
                throw new IllegalStateException(
                        "Nothing has been acknowledged for " + LONGEST_SILENCE.toSeconds() + " s");
            }
            open = flight.await(BETWEEN_RENEWALS);
        }
        return true;
    }
}
