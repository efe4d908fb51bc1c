package org.leasehold.publishing;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.Backoff;
import org.leasehold.history.RetryingThread;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.EventFeed.Question;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends events to a broker: sends a batch in order, waits for all acknowledgements, stores the
 * offset. One of all nodes does so. The next owner begins at the stored offset: it repeats events
 * that were sent without one, and omits none. From the same offset, all owners send in the same
 * order. So even if two of them mix, no event first appears before one that precedes it.
 */
public final class Publisher implements Publication {

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

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));

    private final PublicationOwnership ownership;
    private final EventFeed feed;
    private final ProjectionOffsets projections;
    private final EventFilter filter;
    private final Supplier<? extends BrokerConnection> connector;
    private final RetryingThread thread;
    private final PublicationFailure failure;

    private @Nullable BrokerConnection connection;

    /** The batch size; small after a failure, to limit repeats before a rejected event. */
    private int batchSize;

    /** The offset before the last batch. */
    private long offsetBeforeBatch;

    private boolean isCaughtUp;

    /**
     * @param connector connects, or throws
     */
    public Publisher(
            PublicationOwnership ownership,
            EventFeed feed,
            ProjectionOffsets projections,
            EventFilter filter,
            Supplier<? extends BrokerConnection> connector) {
        this.ownership = ownership;
        this.feed = feed;
        this.projections = projections;
        this.filter = filter;
        this.connector = connector;
        this.batchSize = filter.atOnce();
        this.thread = new RetryingThread("publication-" + ownership.name(), this::run);
        this.failure = new PublicationFailure(ownership.name());
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
        return failure.lasts();
    }

    @Override
    public Set<String> endedThreads() {
        return thread.endedThreads();
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void stop(Duration within) throws InterruptedException {
        thread.stop(within.minus(RELEASE_TIMEOUT), RELEASE_TIMEOUT);
    }

    private void run() throws InterruptedException {
        try {
            thread.repeat(this::publishAndWait, BACKOFF::delayAfter, this::recordFailure);
        } finally {
            // The interrupt must not prevent the end. The next owner repeats unfinished work.
            boolean _ = Thread.interrupted();
            releaseOwnership();
        }
    }

    /** Publishes events and waits for the next ones; returns the pause before these. */
    private Duration publishAndWait() throws InterruptedException {
        OptionalLong position = publish();
        checkRecovery(position);
        if (position.isEmpty()) {
            return STANDBY_INTERVAL;
        }
        if (isCaughtUp) {
            thread.waitIdle(() -> awaitEventAfter(position.getAsLong()));
        }
        return Duration.ZERO;
    }

    private void awaitEventAfter(long position) throws InterruptedException {
        Thread.sleep(MIN_POLL_INTERVAL);
        projections.await(EventFeed.READ_MODEL, position + 1, RENEWAL_INTERVAL);
    }

    /** Checks whether the failure is over: here, or for the node that took over. */
    private void checkRecovery(OptionalLong position) {
        if (position.isPresent()
                ? isCaughtUp || batchSize == filter.atOnce()
                : ownership.offset() > offsetBeforeBatch) {
            failure.end();
        }
    }

    private void recordFailure(Throwable e) {
        batchSize = 1;
        failure.begin(e);
        releaseOwnership();
    }

    /** Releases the publication: another node may succeed where this one fails. */
    private void releaseOwnership() {
        disconnect();
        ownership.release();
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
