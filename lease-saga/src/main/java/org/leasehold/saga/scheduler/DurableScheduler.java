package org.leasehold.saga.scheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.Task;

import org.jspecify.annotations.Nullable;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import javax.sql.DataSource;

/** Runs what is due in one table, on any number of nodes, each execution on one of them. */
public final class DurableScheduler implements SmartLifecycle {

    /** A node that missed four of these in a row is dead, and its executions are taken over. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);

    private final DataSource dataSource;
    private final Serializer serializer;
    private final Clock clock;
    private final Table table;
    private final Node node;
    private volatile @Nullable Scheduler running;

    public DurableScheduler(
            DataSource dataSource, Serializer serializer, Clock clock, Table table, Node node) {
        this.dataSource = dataSource;
        this.serializer = serializer;
        this.clock = clock;
        this.table = table;
        this.node = node;
    }

    /**
     * Which table to work on, and how.
     *
     * @param task what to do with an execution
     * @param takenAhead how many executions to take at once, as a multiple of the threads. Waiting
     *     executions have no heartbeat, so that more than 1 only suits work that takes milliseconds
     * @param prioritised whether the table has priorities
     */
    public record Table(
            String name,
            Task<?> task,
            int threads,
            double takenAhead,
            boolean prioritised,
            Duration polling,
            Duration stopWithin) {}

    /** As {@link #lookSoon}, if it is due already; a later poll sees in time what is not. */
    public void lookAt(Instant due) {
        if (!due.isAfter(clock.instant())) {
            lookSoon();
        }
    }

    /**
     * Looks at the table as soon as the present transaction, if there is one, is committed; what
     * was stored in it does not wait for the next poll.
     */
    public void lookSoon() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            look();
                        }
                    });
        } else {
            look();
        }
    }

    private void look() {
        Scheduler scheduler = running;
        if (scheduler != null) {
            scheduler.triggerCheckForDueExecutions();
        }
    }

    @Override
    public synchronized void start() {
        if (running == null) {
            Scheduler scheduler = build();
            running = scheduler;
            scheduler.start();
        }
    }

    @Override
    public synchronized void stop() {
        Scheduler scheduler = running;
        if (scheduler != null) {
            running = null;
            scheduler.stop();
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public boolean isAutoStartup() {
        return node.works();
    }

    private Scheduler build() {
        var builder =
                Scheduler.create(dataSource, table.task())
                        .tableName(table.name())
                        .schedulerName(new SchedulerName.Fixed(node.name()))
                        // Given, so that no connection is opened before the first poll.
                        .jdbcCustomization(new PostgreSqlJdbcCustomization(false, false))
                        .serializer(serializer)
                        .clock(clock::instant)
                        .threads(table.threads())
                        .pollingInterval(table.polling())
                        .pollUsingLockAndFetch(table.takenAhead() / 2, table.takenAhead())
                        .heartbeatInterval(HEARTBEAT)
                        .missedHeartbeatsLimit(4)
                        // It waits for work under way, interrupts it, and waits as long again.
                        .shutdownMaxWait(table.stopWithin().dividedBy(2));
        return table.prioritised() ? builder.enablePriority().build() : builder.build();
    }
}
