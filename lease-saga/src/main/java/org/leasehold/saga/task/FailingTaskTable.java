package org.leasehold.saga.task;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.TimeMarker;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.saga.task.PluginTask.ResourceTask;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The failing tasks in the table of tasks. Operators read and retry them; the engine retries them
 * when a service is back.
 */
final class FailingTaskTable {

    private final JdbcClient jdbc;
    private final Serializer serializer;

    FailingTaskTable(JdbcClient jdbc, Serializer serializer) {
        this.jdbc = jdbc;
        this.serializer = serializer;
    }

    private record NumberedAction(long sequence, StuckActionQuery.StuckAction action) {

        String marker() {
            return new TimeMarker<>(action.since(), sequence).text();
        }
    }

    /**
     * Returns the failing tasks, the longest failing first.
     *
     * @param marker the end of the page before; null for the first page
     */
    Page<StuckActionQuery.StuckAction> findFailing(@Nullable String marker, int limit) {
        TimeMarker<Long> start = TimeMarker.ofNumber(marker);
        List<NumberedAction> found =
                jdbc.sql(
                                """
                                SELECT task_data, attempts, last_fault, failing_since, parked,
                                       execution_time, sequence
                                FROM plugin_task
                                WHERE attempts > 0 AND (failing_since, sequence) > (?, ?)
                                ORDER BY failing_since, sequence LIMIT ?
                                """)
                        .params(start.time().atOffset(ZoneOffset.UTC), start.key(), limit + 1)
                        .query(
                                (row, _) ->
                                        new NumberedAction(
                                                row.getLong("sequence"), stuckAction(row)))
                        .list();
        return Page.of(found, limit, NumberedAction::marker).map(NumberedAction::action);
    }

    /** Returns the failing tasks of leases, without parked ones. */
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
                        : row.getObject("execution_time", OffsetDateTime.class).toInstant());
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
                .params(now.atOffset(ZoneOffset.UTC), TaskTable.TASK_NAME, key)
                .update();
    }
}
