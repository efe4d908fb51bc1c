package org.leasehold.saga.node;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The nodes that work at present, as their heartbeats in the table {@code node} tell, and by that
 * the share of each in a processor's segments. Axon lets the first node have all of them.
 */
public final class Nodes implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    /** As long as the segments of a silent node stay its own. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Times are the database's: the clocks of two nodes may differ. */
    private static final String BEAT =
            """
            INSERT INTO node (name, seen_at) VALUES (:name, now())
            ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
            """;

    private final Node self;
    private final JdbcClient jdbc;
    private final TransactionOperations transaction;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("node-heartbeat").factory());
    private volatile List<String> working;
    private volatile @Nullable ScheduledFuture<?> beating;

    public Nodes(Node self, JdbcClient jdbc, TransactionOperations transaction) {
        this.self = self;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.working = List.of(self.name());
    }

    /**
     * How many segments of a processor this node is to have. The shares of all nodes add up to all
     * segments as soon as they agree on who is there; which of them has one more than others
     * differs from processor to processor.
     */
    public int share(String processor, int segments) {
        List<String> nodes = working;
        int place = Math.floorMod(nodes.indexOf(self.name()) + processor.hashCode(), nodes.size());
        return segments / nodes.size() + (place < segments % nodes.size() ? 1 : 0);
    }

    /** The names of the nodes that work, this one among them, in the same order on each. */
    List<String> working() {
        return working;
    }

    /** Says that this node is there, and learns who else is. */
    void beat() {
        try {
            transaction.executeWithoutResult(
                    _ -> {
                        // A heartbeat that a crash of the database takes away is no loss.
                        jdbc.sql("SET LOCAL synchronous_commit = off").update();
                        jdbc.sql(BEAT).param("name", self.name()).update();
                        jdbc.sql("DELETE FROM node WHERE seen_at < now() - interval '1 hour'")
                                .update();
                    });
            List<String> seen =
                    jdbc.sql(
                                    """
                                    SELECT name FROM node
                                    WHERE seen_at > now() - make_interval(secs => :silence)
                                    ORDER BY name
                                    """)
                            .param("silence", SILENCE.toSeconds())
                            .query(String.class)
                            .list();
            if (!seen.equals(working) && seen.contains(self.name())) {
                LOG.atInfo().addKeyValue("nodes", seen).log("the nodes that work have changed");
                working = seen;
            }
        } catch (RuntimeException | Error e) {
            // What is thrown here would end the heartbeats.
            // Whoever works meets the same failure and reports it; the shares stay as they are.
            LOG.debug("no heartbeat", e);
        }
    }

    @Override
    public synchronized void start() {
        beat();
        beating =
                thread.scheduleWithFixedDelay(
                        this::beat,
                        HEARTBEAT.toMillis(),
                        HEARTBEAT.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Leaves, so that the others need not wait until the silence is noticed. */
    @Override
    public synchronized void stop() {
        thread.shutdown();
        beating = null;
        try {
            // A heartbeat under way would bring back what is deleted here.
            if (!thread.awaitTermination(HEARTBEAT.toMillis() * 5, TimeUnit.MILLISECONDS)) {
                LOG.debug("a heartbeat is still under way");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            jdbc.sql("DELETE FROM node WHERE name = :name").param("name", self.name()).update();
        } catch (DataAccessException e) {
            LOG.debug("no farewell", e);
        }
    }

    @Override
    public boolean isRunning() {
        return beating != null;
    }

    @Override
    public boolean isAutoStartup() {
        return self.works();
    }

    /** There before the processors, and until they have let their segments go. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
