package org.leasehold.saga.timer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseCommand;
import org.springframework.jdbc.core.JdbcOperations;

import java.sql.Timestamp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The timers in PostgreSQL. */
final class PostgresTimerTable implements TimerTable {

    private static final short ENDS = 2;
    private static final short OTHERS = 1;
    private static final short LAST = 0;

    private static final String SET =
            """
            INSERT INTO timer (task_instance, task_data, execution_time, version, priority)
            SELECT t.key, convert_to(t.data, 'UTF8'), t.due::timestamptz, 1, t.priority
            FROM unnest(?::text[], ?::text[], ?::text[], ?::smallint[])
                AS t (key, data, due, priority)
            ON CONFLICT (task_instance) DO UPDATE
            SET task_data = excluded.task_data, execution_time = excluded.execution_time,
                priority = excluded.priority, consecutive_failures = 0,
                version = timer.version + 1
            """;

    private static final String TAKE =
            """
            WITH first AS MATERIALIZED (
                SELECT task_instance, priority, execution_time FROM timer
                WHERE execution_time <= ? AND priority > 0
                ORDER BY priority DESC, execution_time LIMIT ?
                FOR UPDATE SKIP LOCKED),
            retries AS MATERIALIZED (
                SELECT task_instance, priority, execution_time FROM timer
                WHERE execution_time <= ? AND priority = 0
                ORDER BY execution_time LIMIT ?
                FOR UPDATE SKIP LOCKED),
            due AS (SELECT * FROM first UNION ALL SELECT * FROM retries),
            taken AS (
                UPDATE timer t SET execution_time = ?, version = t.version + 1
                FROM due WHERE t.task_instance = due.task_instance
                RETURNING t.task_instance, t.task_data, t.version, t.consecutive_failures,
                          due.priority, due.execution_time)
            SELECT task_instance, task_data, version, consecutive_failures FROM taken
            ORDER BY priority DESC, execution_time
            """;

    private static final String REMOVE =
            """
            DELETE FROM timer t USING unnest(?::text[], ?::bigint[]) AS fired (key, version)
            WHERE t.task_instance = fired.key AND t.version = fired.version
            """;

    private static final String RESCHEDULE =
            """
            UPDATE timer SET execution_time = ?, consecutive_failures = ?, version = version + 1
            WHERE task_instance = ? AND version = ?
            """;

    private final JdbcOperations jdbc;
    private final Serializer serializer;

    PostgresTimerTable(JdbcOperations jdbc, Serializer serializer) {
        this.jdbc = jdbc;
        this.serializer = serializer;
    }

    @Override
    public void set(List<Timer> timers) {
        jdbc.update(
                SET,
                columnValues(timers, Timer::key),
                columnValues(timers, timer -> new String(serializer.serialize(timer), UTF_8)),
                columnValues(timers, timer -> timer.due().toString()),
                timers.stream().map(PostgresTimerTable::priority).toArray(Short[]::new));
    }

    private static String[] columnValues(List<Timer> timers, Function<Timer, String> column) {
        return timers.stream().map(column).toArray(String[]::new);
    }

    private static Short priority(Timer timer) {
        if (timer.command().hasLowestPriority()) {
            return LAST;
        }
        return timer.command() instanceof LeaseCommand.EndLease ? ENDS : OTHERS;
    }

    @Override
    public void remove(List<String> keys) {
        jdbc.update(
                "DELETE FROM timer WHERE task_instance = ANY (?)",
                (Object) keys.toArray(String[]::new));
    }

    @Override
    public List<Taken> takeDue(Instant now, int limit) {
        return jdbc.query(
                TAKE,
                (row, _) ->
                        new Taken(
                                serializer.deserialize(Timer.class, row.getBytes("task_data")),
                                row.getLong("version"),
                                row.getInt("consecutive_failures")),
                now.atOffset(ZoneOffset.UTC),
                limit,
                now.atOffset(ZoneOffset.UTC),
                Math.min(limit, MAX_RETRIES),
                now.plus(CLAIM_TIMEOUT).atOffset(ZoneOffset.UTC));
    }

    @Override
    public void removeFired(List<Taken> fired) {
        jdbc.update(
                REMOVE,
                fired.stream().map(taken -> taken.timer().key()).toArray(String[]::new),
                fired.stream().map(Taken::version).toArray(Long[]::new));
    }

    @Override
    public void reschedule(Taken failed, Instant when) {
        jdbc.update(
                RESCHEDULE,
                when.atOffset(ZoneOffset.UTC),
                failed.failures() + 1,
                failed.timer().key(),
                failed.version());
    }

    @Override
    public Optional<Instant> nextDueTime() {
        @Nullable Timestamp next =
                jdbc.queryForObject("SELECT min(execution_time) FROM timer", Timestamp.class);
        return Optional.ofNullable(next).map(Timestamp::toInstant);
    }
}
