package org.leasehold.saga.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.saga.task.PluginTask.ReservationTask;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The tasks as rows of db-scheduler's table, with additional columns. */
final class TaskTable {

    static final String TABLE_NAME = "plugin_task";
    static final String TASK_NAME = "plugin-action";

    private final JdbcClient jdbc;
    private final Serializer serializer;

    TaskTable(JdbcClient jdbc, Serializer serializer) {
        this.jdbc = jdbc;
        this.serializer = serializer;
    }

    /** A row that this node has taken. */
    record Taken(String key, long version) {}

    /**
     * The state of a task.
     *
     * @param queuedTasks all tasks of its subject, including itself
     */
    record Standing(
            long sequence,
            int attempts,
            @Nullable Instant failingSince,
            List<TaskReadiness.QueuedTask> queuedTasks) {

        private Standing merge(Standing other) {
            List<TaskReadiness.QueuedTask> all = new ArrayList<>(queuedTasks);
            all.addAll(other.queuedTasks);
            return new Standing(sequence, attempts, failingSince, all);
        }
    }

    /**
     * Inserts tasks, no two of one subject. An existing one restarts if it was parked. If it is
     * running, it is not parked this time.
     */
    void insert(List<SubmittedTask> submitted) {
        jdbc.sql(
                        """
                        INSERT INTO plugin_task
                            (task_name, task_instance, task_data, execution_time, picked, version,
                             subject, action, lease_id, reservation_id)
                        SELECT ?, t.key, convert_to(t.data, 'UTF8'), t.at::timestamptz, false, 1,
                               t.subject, t.action, t.lease::uuid, t.reservation::uuid
                        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                                    ?::text[], ?::text[]) WITH ORDINALITY
                            AS t (key, data, at, subject, action, lease, reservation, place)
                        ORDER BY t.place
                        ON CONFLICT (task_name, task_instance) DO UPDATE
                        SET resubmitted = plugin_task.picked, parked = false,
                            execution_time = CASE WHEN plugin_task.parked
                                THEN excluded.execution_time
                                ELSE plugin_task.execution_time END,
                            attempts = CASE WHEN plugin_task.parked
                                THEN 0 ELSE plugin_task.attempts END,
                            failing_since = CASE WHEN plugin_task.parked
                                THEN NULL ELSE plugin_task.failing_since END
                        """)
                .param(TASK_NAME)
                .param(columnValues(submitted, s -> s.task().key()))
                .param(columnValues(submitted, s -> new String(serializer.serialize(s), UTF_8)))
                .param(columnValues(submitted, s -> s.cause().at().toString()))
                .param(columnValues(submitted, s -> s.task().subject()))
                .param(columnValues(submitted, s -> s.task().verb()))
                .param(
                        columnValues(
                                submitted, s -> reservationColumn(s, r -> r.lease().toString())))
                .param(
                        columnValues(
                                submitted,
                                s -> reservationColumn(s, r -> r.reservation().toString())))
                .update();
    }

    /** Returns whether the same node still runs the task, with the same version. */
    boolean isStillOwned(Taken taken) {
        return jdbc.sql(
                        """
                        SELECT EXISTS (
                            SELECT FROM plugin_task
                            WHERE task_name = ? AND task_instance = ? AND version = ? AND picked)
                        """)
                .params(TASK_NAME, taken.key(), taken.version())
                .query(Boolean.class)
                .single();
    }

    private static @Nullable String reservationColumn(
            SubmittedTask submitted, Function<ReservationTask, String> column) {
        return submitted.task() instanceof ReservationTask task ? column.apply(task) : null;
    }

    private static @Nullable String[] columnValues(
            List<SubmittedTask> tasks, Function<SubmittedTask, @Nullable String> column) {
        return tasks.stream().map(column).toArray(String[]::new);
    }

    /**
     * Deletes parked tasks and those not begun that are needless now: {@link
     * TaskReadiness#supersedes}.
     */
    void deleteSuperseded(List<SubmittedTask> submitted) {
        jdbc.sql(
                        """
                        DELETE FROM plugin_task p
                        USING unnest(?::text[], ?::text[], ?::text[]) AS t (subject, key, action)
                        WHERE p.subject = t.subject AND p.task_instance <> t.key
                          AND NOT p.picked
                          AND (p.parked OR t.action = 'END'
                               OR (t.action = 'START' AND p.action = 'PREPARE'))
                        """)
                .param(columnValues(submitted, s -> s.task().subject()))
                .param(columnValues(submitted, s -> s.task().key()))
                .param(columnValues(submitted, s -> s.task().verb()))
                .update();
    }

    void deleteIdle(List<ReservationId> reservations) {
        jdbc.sql("DELETE FROM plugin_task WHERE subject = ANY (?) AND NOT picked")
                .param(reservations.stream().map(ReservationId::toString).toArray(String[]::new))
                .update();
    }

    /** Returns whether a task of the reservation waits or runs. */
    boolean isBusy(ReservationId reservation) {
        return jdbc.sql("SELECT EXISTS (SELECT FROM plugin_task WHERE subject = ? AND NOT parked)")
                .param(reservation.toString())
                .query(Boolean.class)
                .single();
    }

    /** Returns the state of a task; empty if the row no longer belongs to this node. */
    Optional<Standing> readState(Taken taken) {
        return jdbc
                .sql(
                        """
                        SELECT own.sequence AS own_sequence, own.attempts, own.failing_since,
                               p.sequence, p.action, p.parked
                        FROM plugin_task own JOIN plugin_task p USING (subject)
                        WHERE own.task_name = ? AND own.task_instance = ? AND own.version = ?
                        """)
                .params(TASK_NAME, taken.key(), taken.version())
                .query((row, _) -> readState(row))
                .list()
                .stream()
                .reduce(Standing::merge);
    }

    private static Standing readState(ResultSet row) throws SQLException {
        return new Standing(
                row.getLong("own_sequence"),
                row.getInt("attempts"),
                instant(row.getObject("failing_since", OffsetDateTime.class)),
                List.of(
                        new TaskReadiness.QueuedTask(
                                row.getLong("sequence"),
                                row.getString("action"),
                                row.getBoolean("parked"))));
    }

    /**
     * Counts a failed attempt, and releases the task.
     *
     * @param waitsFor the kind of the plug-in that {@link FailingTaskTable#retryNow(ResourceKind,
     *     Instant)} names; null for none
     */
    void rescheduleFailed(
            Taken taken,
            Instant now,
            Instant next,
            @Nullable String fault,
            @Nullable ResourceKind waitsFor) {
        jdbc.sql(
                        """
                        UPDATE plugin_task
                        SET attempts = attempts + 1, failing_since = coalesce(failing_since, ?),
                            last_fault = ?, waits_for = ?, execution_time = ?, picked = false,
                            picked_by = NULL, last_heartbeat = NULL, resubmitted = false,
                            version = version + 1
                        WHERE task_name = ? AND task_instance = ? AND version = ?
                        """)
                .param(now.atOffset(ZoneOffset.UTC))
                .param(fault)
                .param(waitsFor == null ? null : waitsFor.value())
                .param(next.atOffset(ZoneOffset.UTC))
                .param(TASK_NAME)
                .param(taken.key())
                .param(taken.version())
                .update();
    }

    /** Counts a failed attempt, and parks the task for operators unless it was resubmitted. */
    void park(Taken taken, Instant now, String fault) {
        jdbc.sql(
                        """
                        UPDATE plugin_task
                        SET attempts = CASE WHEN resubmitted THEN 0 ELSE attempts + 1 END,
                            failing_since = CASE WHEN resubmitted
                                THEN NULL ELSE coalesce(failing_since, ?) END,
                            execution_time = CASE WHEN resubmitted
                                THEN ? ELSE timestamptz '9999-12-31 00:00:00Z' END,
                            parked = NOT resubmitted, last_fault = ?, picked = false,
                            picked_by = NULL, last_heartbeat = NULL, resubmitted = false,
                            version = version + 1
                        WHERE task_name = ? AND task_instance = ? AND version = ?
                        """)
                .param(now.atOffset(ZoneOffset.UTC))
                .param(now.atOffset(ZoneOffset.UTC))
                .param(fault)
                .param(TASK_NAME)
                .param(taken.key())
                .param(taken.version())
                .update();
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
