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
 * Sends events to a broker: some, in order; waits until they are acknowledged; notes how far it is.
 * Of any number of nodes one does so. Whoever goes on begins where the note says, so that what was
 * sent without a note is sent once more, and nothing is left out. All that they send from one note
 * on they send in order, so that in whatever way two of them mix, no event's first appearance comes
 * before that of one that precedes it.
 */
public final class Publisher implements Publication, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    private static final int PAGE = 100;
    private static final long MOST_BYTES = 16 << 20;

    /** Well within the time for which the place is held. */
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(2);

    /** Whatever the read side says, nobody asks the database more often for nothing. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private static final Duration WHILE_ANOTHER_PUBLISHES = Duration.ofSeconds(1);

    /** After that, one connects anew: a topic may have been made anew meanwhile. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** For the last words, when what was under way has been given up. */
    private static final Duration TO_GIVE_UP = Duration.ofSeconds(1);

    private final Place place;
    private final Feed feed;
    private final Projections projections;
    private final Choice choice;
    private final Supplier<? extends Line> lines;

    private @Nullable Line line;
    private @Nullable Thread thread;

    /**
     * Few after a failure: what precedes an event that the broker refuses is not sent on and on.
     */
    private int most;

    /** Where the last ones sent began. */
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
            // What was under way is told once more by whoever goes on.
        } finally {
            // The database shall still hear of it.
            boolean _ = Thread.interrupted();
            leave();
        }
    }

    /** Whether what was in the way still is: here, or for whoever has gone on. */
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

    /** Says so once, however long it takes. */
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

    /** Another node may be able to do what this one cannot. */
    private void leave() {
        disconnect();
        try {
            place.giveUp();
        } catch (RuntimeException | Error e) {
            // Without the database: then it is the next one's after a while.
            LOG.atDebug().setCause(e).log("A publication could not be given up");
        }
    }

    /**
     * Closes the line at once: what it still holds must not follow what another node sends. A line
     * that cannot be closed does not end this thread.
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
     * @return how far it is now; empty while another node publishes
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

    /** Whoever was too slow for so many takes fewer the next time, until it is in time. */
    private OptionalLong overtaken() {
        most = Math.max(1, most / 2);
        disconnect();
        return OptionalLong.empty();
    }

    /** How far what was sent goes; empty if another node publishes meanwhile. */
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

    /** Whether everything is acknowledged, and the publication was ours all the while. */
    private boolean landed(Flight flight) throws InterruptedException {
        int before = Integer.MAX_VALUE;
        long heard = System.nanoTime();
        int open = flight.await(BETWEEN_RENEWALS);
        while (open > 0) {
            if (!place.renew()) {
                return false;
            }
            // More may have come to be told meanwhile.
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
