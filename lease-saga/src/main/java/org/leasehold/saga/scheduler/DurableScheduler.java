package org.leasehold.saga.scheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.Task;

import org.jspecify.annotations.Nullable;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;

import java.time.Clock;
import java.time.Duration;

import javax.sql.DataSource;

/** The runner of a table's due executions on any number of nodes, each execution on one. */
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
     * A table, and the settings of its work.
     *
     * @param task runs an execution
     */
    public record Table(
            String name, Task<?> task, int threads, Duration polling, Duration stopWithin) {}

    /** Polls the table now; new rows do not wait for the next poll. */
    public void pollNow() {
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
        return Scheduler.create(dataSource, table.task())
                .tableName(table.name())
                .schedulerName(new SchedulerName.Fixed(node.name()))
                // It is set, so that no connection is opened before the first poll.
                .jdbcCustomization(new PostgreSqlJdbcCustomization(false, false))
                .serializer(serializer)
                .clock(clock::instant)
                .threads(table.threads())
                .pollingInterval(table.polling())
                // Waiting executions have no heartbeat: none is taken ahead.
                .pollUsingLockAndFetch(0.5, 1)
                .heartbeatInterval(HEARTBEAT)
                .missedHeartbeatsLimit(4)
                // It waits for running work, interrupts it, and waits as long again.
                .shutdownMaxWait(table.stopWithin().dividedBy(2))
                .build();
    }
}
