package org.leasehold.saga.scheduler;

import com.github.kagkarlsson.scheduler.task.Execution;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.time.ZoneOffset;

/**
 * The rows of executions that this node has taken. A row that was set again or deleted since has
 * another version, and is not changed. db-scheduler would call that a bug and throw.
 */
public final class PickedExecutions {

    private final JdbcClient jdbc;
    private final String table;

    public PickedExecutions(JdbcClient jdbc, String table) {
        this.jdbc = jdbc;
        this.table = table;
    }

    public void remove(Execution picked) {
        jdbc.sql(
                        "DELETE FROM "
                                + table
                                + " WHERE task_name = ? AND task_instance = ? AND version = ?")
                .params(picked.getTaskName(), picked.getId(), picked.version)
                .update();
    }

    /** Releases the execution, to be taken again from {@code when} on. */
    public void reschedule(Execution picked, Instant when, int failures) {
        jdbc.sql(
                        "UPDATE "
                                + table
                                + " SET picked = false, picked_by = NULL, last_heartbeat = NULL,"
                                + " execution_time = ?, consecutive_failures = ?,"
                                + " version = version + 1"
                                + " WHERE task_name = ? AND task_instance = ? AND version = ?")
                .params(
                        when.atOffset(ZoneOffset.UTC),
                        failures,
                        picked.getTaskName(),
                        picked.getId(),
                        picked.version)
                .update();
    }
}
