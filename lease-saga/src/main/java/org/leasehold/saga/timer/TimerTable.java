package org.leasehold.saga.timer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseCommand;
import org.springframework.jdbc.core.JdbcOperations;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The table of timers. Every method is one statement. */
final class TimerTable {

    /** A node that has not removed a timer so long after it took it is dead, or nearly so. */
    static final Duration TAKEN_FOR = Duration.ofSeconds(10);

    private static final short ENDS = 2;
    private static final short OTHERS = 1;

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
            WITH due AS MATERIALIZED (
                SELECT task_instance, priority, execution_time FROM timer
                WHERE execution_time <= ?
                ORDER BY priority DESC, execution_time LIMIT ?
                FOR UPDATE SKIP LOCKED),
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

    private static final String PUT_BACK =
            """
            UPDATE timer SET execution_time = ?, consecutive_failures = ?, version = version + 1
            WHERE task_instance = ? AND version = ?
            """;

    private final JdbcOperations jdbc;
    private final Serializer serializer;

    TimerTable(JdbcOperations jdbc, Serializer serializer) {
        this.jdbc = jdbc;
        this.serializer = serializer;
    }

    /**
     * A timer in this node's hands. Whoever sets it anew gives it another version, and what becomes
     * of this one has no effect on the table.
     *
     * @param failures how often its command failed before
     */
    record Taken(Timer timer, long version, int failures) {}

    void set(List<Timer> timers) {
        jdbc.update(
                SET,
                texts(timers, Timer::key),
                texts(timers, timer -> new String(serializer.serialize(timer), UTF_8)),
                texts(timers, timer -> timer.due().toString()),
                timers.stream().map(TimerTable::priority).toArray(Short[]::new));
    }

    private static String[] texts(List<Timer> timers, Function<Timer, String> column) {
        return timers.stream().map(column).toArray(String[]::new);
    }

    private static Short priority(Timer timer) {
        return timer.command() instanceof LeaseCommand.EndLease ? ENDS : OTHERS;
    }

    void remove(List<String> keys) {
        jdbc.update(
                "DELETE FROM timer WHERE task_instance = ANY (?)",
                (Object) keys.toArray(String[]::new));
    }

    /** Takes what is due and in nobody else's hands, ends first. */
    List<Taken> take(Instant now, int atMost) {
        return jdbc.query(
                TAKE,
                (row, _) ->
                        new Taken(
                                serializer.deserialize(Timer.class, row.getBytes("task_data")),
                                row.getLong("version"),
                                row.getInt("consecutive_failures")),
                now.atOffset(ZoneOffset.UTC),
                atMost,
                now.plus(TAKEN_FOR).atOffset(ZoneOffset.UTC));
    }

    void removeTaken(List<Taken> fired) {
        jdbc.update(
                REMOVE,
                fired.stream().map(taken -> taken.timer().key()).toArray(String[]::new),
                fired.stream().map(Taken::version).toArray(Long[]::new));
    }

    /** Lets a timer fire again from {@code when} on. */
    void putBack(Taken failed, Instant when) {
        jdbc.update(
                PUT_BACK,
                when.atOffset(ZoneOffset.UTC),
                failed.failures() + 1,
                failed.timer().key(),
                failed.version());
    }

    /** When the next timer is due; empty when there is none. */
    Optional<Instant> next() {
        @Nullable Timestamp next =
                jdbc.queryForObject("SELECT min(execution_time) FROM timer", Timestamp.class);
        return Optional.ofNullable(next).map(Timestamp::toInstant);
    }
}
