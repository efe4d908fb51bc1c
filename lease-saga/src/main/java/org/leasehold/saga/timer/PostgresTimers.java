package org.leasehold.saga.timer;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.springframework.jdbc.core.JdbcOperations;

import java.sql.Types;
import java.time.ZoneOffset;
import java.util.List;

/** Timers as rows of db-scheduler's table. */
final class PostgresTimers implements Timers {

    private static final int ENDS = 2;
    private static final int OTHERS = 1;

    private final JdbcOperations jdbc;
    private final Serializer serializer;
    private final DurableScheduler scheduler;

    PostgresTimers(JdbcOperations jdbc, Serializer serializer, DurableScheduler scheduler) {
        this.jdbc = jdbc;
        this.serializer = serializer;
        this.scheduler = scheduler;
    }

    @Override
    public void set(List<Timer> timers) {
        // One statement of our own instead of db-scheduler's client: that one needs three, and it
        // refuses to reschedule what is being executed. With the new version, the execution under
        // way finds that the row is not its own any more and leaves it.
        jdbc.batchUpdate(
                """
                INSERT INTO timer
                    (task_name, task_instance, task_data, execution_time, picked, version, priority)
                VALUES (?, ?, ?, ?, false, 1, ?)
                ON CONFLICT (task_name, task_instance) DO UPDATE
                SET task_data = excluded.task_data, execution_time = excluded.execution_time,
                    priority = excluded.priority, picked = false, picked_by = NULL,
                    last_heartbeat = NULL, consecutive_failures = 0, version = timer.version + 1
                """,
                timers.stream().map(this::row).toList(),
                new int[] {
                    Types.VARCHAR,
                    Types.VARCHAR,
                    Types.BINARY,
                    Types.TIMESTAMP_WITH_TIMEZONE,
                    Types.SMALLINT
                });
        scheduler.lookSoon();
    }

    private Object[] row(Timer timer) {
        return new Object[] {
            TimerTask.NAME,
            timer.key(),
            serializer.serialize(timer),
            timer.due().atOffset(ZoneOffset.UTC),
            timer.command() instanceof LeaseCommand.EndLease ? ENDS : OTHERS
        };
    }

    @Override
    public void cancel(List<String> keys) {
        jdbc.update(
                "DELETE FROM timer WHERE task_name = ? AND task_instance = ANY (?)",
                TimerTask.NAME,
                keys.toArray(String[]::new));
    }
}
