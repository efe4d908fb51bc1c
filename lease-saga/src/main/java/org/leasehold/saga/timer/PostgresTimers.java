package org.leasehold.saga.timer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.springframework.jdbc.core.JdbcOperations;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Timers as rows of db-scheduler's table. */
final class PostgresTimers implements Timers {

    private static final short ENDS = 2;
    private static final short OTHERS = 1;

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
        // One statement of our own instead of db-scheduler's client: that one needs three for each,
        // and it refuses to reschedule what is being executed. With the new version, the execution
        // under way finds that the row is not its own any more and leaves it.
        jdbc.update(
                """
                INSERT INTO timer
                    (task_name, task_instance, task_data, execution_time, picked, version, priority)
                SELECT ?, t.task_instance, convert_to(t.task_data, 'UTF8'),
                       t.execution_time::timestamptz, false, 1, t.priority
                FROM unnest(?::text[], ?::text[], ?::text[], ?::smallint[])
                    AS t (task_instance, task_data, execution_time, priority)
                ON CONFLICT (task_name, task_instance) DO UPDATE
                SET task_data = excluded.task_data, execution_time = excluded.execution_time,
                    priority = excluded.priority, picked = false, picked_by = NULL,
                    last_heartbeat = NULL, consecutive_failures = 0, version = timer.version + 1
                """,
                TimerTask.NAME,
                texts(timers, Timer::key),
                texts(timers, timer -> new String(serializer.serialize(timer), UTF_8)),
                texts(timers, timer -> timer.due().toString()),
                timers.stream().map(PostgresTimers::priority).toArray(Short[]::new));
        timers.stream().map(Timer::due).min(Comparator.naturalOrder()).ifPresent(scheduler::lookAt);
    }

    private static String[] texts(List<Timer> timers, Function<Timer, String> column) {
        return timers.stream().map(column).toArray(String[]::new);
    }

    private static Short priority(Timer timer) {
        return timer.command() instanceof LeaseCommand.EndLease ? ENDS : OTHERS;
    }

    @Override
    public void cancel(List<String> keys) {
        jdbc.update(
                "DELETE FROM timer WHERE task_name = ? AND task_instance = ANY (?)",
                TimerTask.NAME,
                keys.toArray(String[]::new));
    }
}
