package org.leasehold.publishing;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.EventFeed.Question;
import org.leasehold.readmodel.operation.ProjectionOffsets;
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

    private static final int PAGE_SIZE = 100;
    private static final long MAX_BATCH_BYTES = 16 << 20;

    /** Well within the time of the ownership. */
    private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(2);

    /** Limits the queries of the database without new events, whatever the read side reports. */
    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(20);

    private static final Duration STANDBY_INTERVAL = Duration.ofSeconds(1);

    /** The timeout after which it reconnects: a topic may have been recreated meanwhile. */
    private static final Duration ACKNOWLEDGEMENT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(500);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);

    /** The time to release the publication after its work was cancelled. */
    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(1);

    private final PublicationOwnership ownership;
    private final EventFeed feed;
    private final ProjectionOffsets projections;
    private final EventFilter filter;
    private final Supplier<? extends BrokerConnection> connector;

    private @Nullable BrokerConnection connection;
    private @Nullable Thread thread;

    /** The batch size; small after a failure, to limit repeats before a rejected event. */
    private int batchSize;

    /** The offset before the last batch. */
    private long offsetBeforeBatch;

    private boolean isCaughtUp;
    private volatile boolean stopping;
    private volatile boolean idle;
    private volatile boolean failing;

    /**
     * @param lines connects, or throws
     */
    public Publisher(
            PublicationOwnership ownership,
            EventFeed feed,
            ProjectionOffsets projections,
            EventFilter choice,
            Supplier<? extends BrokerConnection> lines) {
        this.ownership = ownership;
        this.feed = feed;
        this.projections = projections;
        this.filter = choice;
        this.connector = lines;
        this.batchSize = choice.atOnce();
    }

    @Override
    public String name() {
        return ownership.name();
    }

    @Override
    public long offset() {
        return ownership.offset();
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
        Duration patience = within.minus(RELEASE_TIMEOUT);
        if (patience.isNegative() || !thread.join(patience)) {
            thread.interrupt();
            thread.join(RELEASE_TIMEOUT);
        }
        thread = null;
    }

    @Override
    public void run() {
        Duration pause = INITIAL_BACKOFF;
        try {
            while (!stopping) {
                try {
                    OptionalLong position = publish();
                    checkRecovery(position);
                    pause = INITIAL_BACKOFF;
                    awaitNextEvents(position);
                } catch (RuntimeException | Error e) {
                    batchSize = 1;
                    recordFailure(e);
                    sleep(pause);
                    Duration twice = pause.multipliedBy(2);
                    pause = twice.compareTo(MAX_BACKOFF) < 0 ? twice : MAX_BACKOFF;
                }
            }
        } catch (InterruptedException stopped) {
            // The next owner repeats the unfinished work.
        } finally {
            // The interrupt must not prevent the update of the database.
            boolean _ = Thread.interrupted();
            releaseOwnership();
        }
    }

    /** Checks whether the failure is over: here, or for the node that took over. */
    private void checkRecovery(OptionalLong position) {
        if (position.isPresent()
                ? isCaughtUp || batchSize == filter.atOnce()
                : ownership.offset() > offsetBeforeBatch) {
            recordRecovery();
        }
    }

    private void awaitNextEvents(OptionalLong position) throws InterruptedException {
        if (position.isEmpty()) {
            sleep(STANDBY_INTERVAL);
            return;
        }
        if (!isCaughtUp) {
            return;
        }
        sleep(MIN_POLL_INTERVAL);
        idle = true;
        try {
            if (!stopping) {
                projections.await(EventFeed.READ_MODEL, position.getAsLong() + 1, RENEWAL_INTERVAL);
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
    private void recordFailure(Throwable e) throws InterruptedException {
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
        releaseOwnership();
    }

    private void recordRecovery() {
        if (failing) {
            failing = false;
            LOG.atInfo().addKeyValue("publication", name()).log("A publication continues");
        }
    }

    /** Releases the publication: another node may succeed where this one fails. */
    private void releaseOwnership() {
        disconnect();
        try {
            ownership.release();
        } catch (RuntimeException | Error e) {
            // Without the database, the ownership expires after a while.
            LOG.atDebug().setCause(e).log("A publication could not be given up");
        }
    }

    /**
     * Closes the connection at once: queued messages must not follow those of another node. A
     * failure to close does not end this thread.
     */
    private void disconnect() {
        if (connection == null) {
            return;
        }
        BrokerConnection closing = connection;
        connection = null;
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
        OptionalLong before = ownership.acquire();
        if (before.isEmpty()) {
            disconnect();
            return before;
        }
        offsetBeforeBatch = before.getAsLong();
        if (connection != null && !connection.isOpen()) {
            disconnect();
        }
        if (connection == null) {
            connection = connector.get();
            if (!ownership.renew()) {
                return abandonBatch();
            }
        }
        InFlightBatch flight = connection.begin();
        OptionalLong after = send(offsetBeforeBatch, flight);
        if (after.isEmpty()) {
            return abandonBatch();
        }
        isCaughtUp = after.getAsLong() == offsetBeforeBatch;
        if (isCaughtUp) {
            return before;
        }
        if (awaitAcknowledgement(flight) && ownership.saveOffset(after.getAsLong())) {
            batchSize = Math.min(2 * batchSize, filter.atOnce());
            return after;
        }
        return abandonBatch();
    }

    /** Halves the next batch after it was too slow. */
    private OptionalLong abandonBatch() {
        batchSize = Math.max(1, batchSize / 2);
        disconnect();
        return OptionalLong.empty();
    }

    /** Sends a batch; returns its last position, or empty if another node publishes meanwhile. */
    private OptionalLong send(long after, InFlightBatch flight) throws InterruptedException {
        long renewed = System.nanoTime();
        long through = after;
        int left = batchSize;
        int wanted;
        Batch page;
        do {
            wanted = Math.min(left, PAGE_SIZE);
            page = feed.next(new Question(through, filter.audience(), filter.types(), wanted));
            for (Entry entry : page.entries()) {
                if (System.nanoTime() - renewed > RENEWAL_INTERVAL.toNanos()) {
                    if (!ownership.renew()) {
                        return OptionalLong.empty();
                    }
                    renewed = System.nanoTime();
                }
                flight.send(entry);
            }
            through = page.through();
            left -= page.entries().size();
        } while (page.entries().size() == wanted && left > 0 && flight.bytes() < MAX_BATCH_BYTES);
        return OptionalLong.of(through);
    }

    /** Returns true if everything is acknowledged and the ownership was never lost. */
    private boolean awaitAcknowledgement(InFlightBatch flight) throws InterruptedException {
        int before = Integer.MAX_VALUE;
        long heard = System.nanoTime();
        int open = flight.await(RENEWAL_INTERVAL);
        while (open > 0) {
            if (!ownership.renew()) {
                return false;
            }
            // The number may also rise, when new messages were added.
            if (open != before) {
                before = open;
                heard = System.nanoTime();
            } else if (System.nanoTime() - heard > ACKNOWLEDGEMENT_TIMEOUT.toNanos()) {
                throw new IllegalStateException(
                        "Nothing has been acknowledged for "
                                + ACKNOWLEDGEMENT_TIMEOUT.toSeconds()
                                + " s");
            }
            open = flight.await(RENEWAL_INTERVAL);
        }
        return true;
    }
}
