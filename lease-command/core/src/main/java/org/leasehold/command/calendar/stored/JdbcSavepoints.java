package org.leasehold.command.calendar.stored;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.Savepoint;
import java.util.Objects;

/** Savepoints of the transaction's connection. */
record JdbcSavepoints(JdbcTemplate jdbc) implements Savepoints {

    @Override
    public Runnable setSavepoint() {
        Savepoint savepoint =
                Objects.requireNonNull(
                        jdbc.execute(
                                (ConnectionCallback<Savepoint>)
                                        connection -> connection.setSavepoint()));
        return () ->
                jdbc.execute(
                        (ConnectionCallback<Savepoint>)
                                connection -> {
                                    connection.rollback(savepoint);
                                    return savepoint;
                                });
    }
}
