package org.leasehold.saga.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.TaskRetries;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.saga.task.PluginTask.ReservationTask;
import org.leasehold.saga.task.PluginTask.ResourceTask;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Tasks as rows of db-scheduler's table, with additional columns. */
final class TaskTable {

    private static final Logger LOG = LoggerFactory.getLogger(TaskTable.class);

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
     * @param places of all tasks of its subject, its own included
     */
    record Standing(
            long sequence,
            int attempts,
            @Nullable Instant failingSince,
            List<TaskReadiness.Place> places) {

        private Standing merge(Standing other) {
            List<TaskReadiness.Place> all = new ArrayList<>(places);
            all.addAll(other.places);
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
                        new TaskReadiness.Place(
                                row.getLong("sequence"),
                                row.getString("action"),
                                row.getBoolean("parked"))));
    }

    /**
     * Counts a failed attempt, and releases the task.
     *
     * @param waitsFor the kind of the plug-in that {@link #retryNow(ResourceKind, Instant)} names;
     *     null for none
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

    List<StuckActionQuery.StuckAction> findFailing(int limit) {
        return jdbc.sql(
                        """
                        SELECT task_data, attempts, last_fault, failing_since, parked,
                               execution_time
                        FROM plugin_task
                        WHERE attempts > 0
                        ORDER BY failing_since, sequence LIMIT ?
                        """)
                .param(limit)
                .query((row, _) -> stuckAction(row))
                .list();
    }

    /** Returns the failing tasks of some leases, without parked ones. */
    List<StuckActionQuery.StuckAction> findRetrying(Collection<LeaseId> leases) {
        return jdbc.sql(
                        """
                        SELECT task_data, attempts, last_fault, failing_since, parked,
                               execution_time
                        FROM plugin_task
                        WHERE attempts > 0 AND NOT parked AND lease_id = ANY (?)
                        ORDER BY failing_since, sequence
                        """)
                .param(leases.stream().map(LeaseId::value).toArray(UUID[]::new))
                .query((row, _) -> stuckAction(row))
                .list();
    }

    private StuckActionQuery.StuckAction stuckAction(ResultSet row) throws SQLException {
        return new StuckActionQuery.StuckAction(
                task(row).target(),
                row.getInt("attempts"),
                row.getString("last_fault"),
                row.getObject("failing_since", OffsetDateTime.class).toInstant(),
                row.getBoolean("parked")
                        ? null
                        : instant(row.getObject("execution_time", OffsetDateTime.class)));
    }

    private PluginTask task(ResultSet row) throws SQLException {
        return serializer.deserialize(SubmittedTask.class, row.getBytes("task_data")).task();
    }

    /** Retries failing tasks of a resource now; false if there are none. */
    boolean retryNow(ResourceId resource, Instant now) {
        List<String> failing =
                jdbc
                        .sql(
                                """
                                SELECT task_data FROM plugin_task
                                WHERE attempts > 0 AND reservation_id IS NULL
                                """)
                        .query((row, _) -> task(row))
                        .list()
                        .stream()
                        .filter(
                                task ->
                                        task instanceof ResourceTask failed
                                                && failed.resource().equals(resource))
                        .map(PluginTask::key)
                        .toList();
        return failing.stream().mapToInt(key -> retryNow(key, now)).sum() > 0;
    }

    /** Retries all failing tasks now, except parked ones; returns their number. */
    int retryNow(Instant now) {
        return jdbc.sql(
                        """
                        UPDATE plugin_task SET execution_time = least(execution_time, ?)
                        WHERE attempts > 0 AND NOT parked AND NOT picked
                        """)
                .param(now.atOffset(ZoneOffset.UTC))
                .update();
    }

    /**
     * Retries at once the tasks that wait for a plug-in, except parked ones; returns their number.
     * It skips rows that a running task is about to change.
     */
    int retryNow(ResourceKind plugin, Instant now) {
        return jdbc.sql(
                        """
                        UPDATE plugin_task SET execution_time = :now
                        WHERE (task_name, task_instance) IN (
                            SELECT task_name, task_instance FROM plugin_task
                            WHERE attempts > 0 AND waits_for = :plugin AND NOT parked
                              AND NOT picked AND execution_time > :now
                            FOR UPDATE SKIP LOCKED)
                        """)
                .param("now", now.atOffset(ZoneOffset.UTC))
                .param("plugin", plugin.value())
                .update();
    }

    /** Retries failing tasks of a lease now, except parked ones; false if there are none. */
    boolean retryNow(LeaseId lease, Instant now) {
        return jdbc.sql(
                                """
                                UPDATE plugin_task
                                SET execution_time = CASE WHEN picked THEN execution_time ELSE ? END
                                WHERE lease_id = ? AND attempts > 0 AND NOT parked
                                """)
                        .params(now.atOffset(ZoneOffset.UTC), lease.value())
                        .update()
                > 0;
    }

    /** Retries a task now; a running one is not changed, because it is the retry. */
    private int retryNow(String key, Instant now) {
        return jdbc.sql(
                        """
                        UPDATE plugin_task
                        SET execution_time = CASE WHEN picked THEN execution_time ELSE ? END
                        WHERE task_name = ? AND task_instance = ? AND attempts > 0
                        """)
                .params(now.atOffset(ZoneOffset.UTC), TASK_NAME, key)
                .update();
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** The retries by operators, on this table. */
    record PostgresRetries(TaskTable table, DurableScheduler scheduler, Clock clock)
            implements TaskRetries {

        @Override
        public boolean retry(ResourceId resource, CommandContext context) {
            return retried(
                    "resource_id", resource, table.retryNow(resource, clock.instant()), context);
        }

        @Override
        public boolean retry(LeaseId lease, CommandContext context) {
            return retried("lease_id", lease, table.retryNow(lease, clock.instant()), context);
        }

        private boolean retried(
                String name, Object subject, boolean failing, CommandContext context) {
            LOG.atInfo()
                    .addKeyValue(name, subject)
                    .addKeyValue("request_id", context.requestId())
                    .addKeyValue("user", context.user())
                    .addKeyValue("failing", failing)
                    .log("An operator retries what fails");
            if (failing) {
                scheduler.pollNow();
            }
            return failing;
        }
    }
}
