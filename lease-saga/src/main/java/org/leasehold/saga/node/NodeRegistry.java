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
 * The working nodes, from their heartbeats in the table {@code node}, and each node's share of a
 * processor's segments. Axon lets the first node have all of them.
 */
public final class NodeRegistry implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistry.class);

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    /** The time for which a silent node still owns its segments. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

    /** Times are the database's: the clocks of two nodes may differ. */
    private static final String HEARTBEAT_SQL =
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
    private volatile List<String> workingNodes;
    private volatile @Nullable ScheduledFuture<?> heartbeatTask;

    public NodeRegistry(Node self, JdbcClient jdbc, TransactionOperations transaction) {
        this.self = self;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.workingNodes = List.of(self.name());
    }

    /**
     * Returns the number of a processor's segments for this node. The shares of all nodes add up to
     * all segments as soon as they agree on the nodes. The nodes with one segment more differ from
     * processor to processor.
     */
    public int segmentShare(String processor, int segments) {
        List<String> nodes = workingNodes;
        int rank = Math.floorMod(nodes.indexOf(self.name()) + processor.hashCode(), nodes.size());
        return segments / nodes.size() + (rank < segments % nodes.size() ? 1 : 0);
    }

    /** Returns the names of the working nodes, this one included, in the same order on each. */
    List<String> workingNodes() {
        return workingNodes;
    }

    /** Writes this node's heartbeat and reads the other nodes. */
    void sendHeartbeat() {
        try {
            transaction.executeWithoutResult(
                    _ -> {
                        // If a crash of the database loses a heartbeat, no harm is done.
                        jdbc.sql("SET LOCAL synchronous_commit = off").update();
                        jdbc.sql(HEARTBEAT_SQL).param("name", self.name()).update();
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
                            .param("silence", NODE_TIMEOUT.toSeconds())
                            .query(String.class)
                            .list();
            if (!seen.equals(workingNodes) && seen.contains(self.name())) {
                LOG.atInfo().addKeyValue("nodes", seen).log("the nodes that work have changed");
                workingNodes = seen;
            }
        } catch (RuntimeException | Error e) {
            // An exception here would end the heartbeats. Workers meet the same failure and report
            // it; the shares stay as they are.
            LOG.debug("no heartbeat", e);
        }
    }

    @Override
    public synchronized void start() {
        sendHeartbeat();
        heartbeatTask =
                thread.scheduleWithFixedDelay(
                        this::sendHeartbeat,
                        HEARTBEAT.toMillis(),
                        HEARTBEAT.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Deletes this node, so that the others need not wait until they notice its silence. */
    @Override
    public synchronized void stop() {
        thread.shutdown();
        heartbeatTask = null;
        try {
            // A running heartbeat would insert the row that is deleted here.
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
        return heartbeatTask != null;
    }

    @Override
    public boolean isAutoStartup() {
        return self.works();
    }

    /** Starts before the processors, and stops after they have released their segments. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
