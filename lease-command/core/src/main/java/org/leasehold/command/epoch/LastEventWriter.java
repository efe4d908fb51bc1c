package org.leasehold.command.epoch;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.VitalThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A thread that writes the last event to its file. The write is not part of a commit, so that no
 * response waits for the file. An event is in it some 50 ms after its commit.
 *
 * <p>Before it replaces an event, it checks that the database still contains that one. This detects
 * a database that loses events while the engine runs, as in a fail-over to a lagging server.
 */
public final class LastEventWriter implements SmartLifecycle, VitalThreads {

    private static final String NAME = "last-event";

    private static final Logger LOG = LoggerFactory.getLogger(LastEventWriter.class);

    /** Limits the writes: each is a write-through to the disk that the database may share. */
    private static final Duration WRITE_INTERVAL = Duration.ofMillis(50);

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(10);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private final EpochTable table;
    private final @Nullable LastEventFile file;
    private final EventLogTail tail;
    private final Consumer<LastEvent> lostEventListener;
    private @Nullable LastEvent lastWritten;

    /** A failure after {@link #stop()} does not count: the interrupt of the thread causes it. */
    private boolean isFailing;

    private boolean hasLost;
    private volatile boolean stopped;
    private volatile @Nullable Thread thread;

    /**
     * Stores its dependencies; nothing happens before {@link #start()}.
     *
     * @param file the file; null if this node has none, and then this object does nothing
     * @param lost receives an event that the database does not contain any more; called once, and
     *     no event is written after that
     */
    public LastEventWriter(
            EpochTable table,
            @Nullable LastEventFile file,
            EventLogTail tail,
            Consumer<LastEvent> lost) {
        this.table = table;
        this.file = file;
        this.tail = tail;
        this.lostEventListener = lost;
    }

    @Override
    public void start() {
        stopped = false;
        thread = Thread.ofPlatform().daemon().name(NAME).start(this::work);
    }

    @Override
    public boolean isAutoStartup() {
        return file != null;
    }

    @Override
    public boolean isRunning() {
        Thread started = thread;
        return started != null && started.isAlive();
    }

    /** Starts before anything can append events, and stops after every appender. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    private void work() {
        try {
            while (!stopped && awaitAndWrite()) {
                Thread.sleep(isFailing ? RETRY_INTERVAL : WRITE_INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for an event and writes it; returns false to end the thread. */
    private boolean awaitAndWrite() throws InterruptedException {
        try {
            LastEvent before = lastWritten;
            tail.awaitEventAfter(before == null ? 0 : before.position(), POLL_INTERVAL);
            boolean contained = writeLastEvent();
            isFailing = false;
            return contained;
        } catch (DataAccessException e) {
            LOG.atDebug()
                    .setCause(e)
                    .log("The last event cannot be read; others report the outage");
            isFailing = isFailing || !stopped;
            return true;
        } catch (IOException e) {
            if (!isFailing && !stopped) {
                LOG.atWarn().setCause(e).log("The last event is not kept outside the database");
            }
            isFailing = isFailing || !stopped;
            return true;
        }
    }

    private boolean writeLastEvent() throws IOException {
        Optional<LastEvent> last = table.lastEvent();
        LastEvent before = lastWritten;
        if (before != null && !table.contains(before)) {
            hasLost = true;
            lostEventListener.accept(before);
            return false;
        }
        if (last.isPresent() && !last.get().equals(before)) {
            requireNonNull(file).write(last.get());
            lastWritten = last.get();
        }
        return true;
    }

    @Override
    public Set<String> endedThreads() {
        return thread == null || stopped || isRunning() ? Set.of() : Set.of(NAME);
    }

    /** Ends the thread, and writes the last event again if that is possible. */
    @Override
    public void stop() {
        Thread started = thread;
        if (started == null) {
            return;
        }
        stopped = true;
        started.interrupt();
        try {
            started.join();
            if (!hasLost && !isFailing) {
                writeLastEvent();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException | IOException e) {
            LOG.atDebug().setCause(e).log("The last event is not kept at the end");
        }
    }
}
