package org.leasehold.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The engine's database, looked at past the engine. */
record Database(int port) {

    static final String USER = "postgres";

    private static final Duration CATCHES_UP_WITHIN = Duration.ofMinutes(2);

    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres", USER, "");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return number(statement);
        }
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    List<Double> numbers(String sql, Object... parameters) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<Double> numbers = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    numbers.add(row.getDouble(1));
                }
            }
            return numbers;
        }
    }

    /**
     * How long it takes from now until every lease has its timers, which the processes set when
     * they see its events. In seconds. The tables of leases and claims are never behind, and the
     * stored positions of readers say less: a reader to whom an event means nothing stores its
     * position some seconds later.
     */
    double catchUp() throws SQLException, InterruptedException {
        long began = System.nanoTime();
        try (Connection connection = connect();
                PreparedStatement leasesAhead =
                        connection.prepareStatement(
                                """
                                SELECT (SELECT count(*) FROM lease WHERE status = 'PENDING')
                                    - (SELECT count(*) FROM timer
                                       WHERE task_instance LIKE 'start:%')
                                """)) {
            while (number(leasesAhead) > 0) {
                if (System.nanoTime() - began > CATCHES_UP_WITHIN.toNanos()) {
                    throw new IllegalStateException("Some lease gets no timer");
                }
                Thread.sleep(50);
            }
        }
        return (System.nanoTime() - began) / 1e9;
    }
}
