package org.leasehold.runtime.verify;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.DerivedRows.Moment;
import org.leasehold.history.DerivedRows.Row;
import org.leasehold.history.DerivedRows.Subject;
import org.leasehold.history.EventLog;
import org.leasehold.history.Inspection;
import org.leasehold.history.Invariant;
import org.leasehold.history.RecordedEvent;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A pass over events and tables. */
final class Comparison {

    private static final String NOTHING = "nothing";

    private final Connection connection;
    private final Moment moment;
    private final Consumer<Difference> consumer;
    private long leases;
    private long events;
    private long differences;

    Comparison(Connection connection, Moment moment, Consumer<Difference> consumer) {
        this.connection = connection;
        this.moment = moment;
        this.consumer = consumer;
    }

    void inventory(EventLog log, List<DerivedRows> tables) throws SQLException {
        List<RecordedEvent> history = log.inventory(connection);
        events += history.size();
        Map<String, List<RecordedEvent>> streams = new LinkedHashMap<>();
        for (RecordedEvent event : history) {
            streams.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
        }
        long before = differences;
        streams.values().forEach(stream -> StreamCheck.of(stream).forEach(this::tell));
        if (differences > before) {
            return;
        }
        for (DerivedRows table : of(Subject.INVENTORY, tables)) {
            compare(table, "", history, all(table));
        }
    }

    private List<Row> all(DerivedRows table) throws SQLException {
        List<Row> found = new ArrayList<>();
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(table.query())) {
            while (row.next()) {
                found.add(table.found(row));
            }
        }
        return found;
    }

    void leases(EventLog log, List<DerivedRows> tables) throws SQLException {
        List<OrderedRows> kept = new ArrayList<>();
        try {
            for (DerivedRows table : of(Subject.LEASE, tables)) {
                kept.add(OrderedRows.open(table, connection));
            }
            log.lives(connection, life -> lease(life, kept));
            for (OrderedRows rows : kept) {
                rows.rest((lease, row) -> stray(rows.table(), lease, row));
            }
        } finally {
            for (OrderedRows rows : kept) {
                rows.close();
            }
        }
    }

    private void lease(List<RecordedEvent> life, List<OrderedRows> kept) throws SQLException {
        leases++;
        events += life.size();
        String lease = life.getFirst().stream();
        List<Difference> broken = StreamCheck.of(life);
        broken.forEach(this::tell);
        for (OrderedRows rows : kept) {
            DerivedRows table = rows.table();
            List<Row> found = rows.of(lease, (other, row) -> stray(table, other, row));
            if (broken.isEmpty()) {
                compare(table, "lease " + lease + " ", life, found);
            }
        }
    }

    private void stray(DerivedRows table, String lease, Row row) {
        tell(
                new Difference(
                        table.table(),
                        "lease " + lease + " " + row.key(),
                        NOTHING,
                        row.columns().toString()));
    }

    private void compare(
            DerivedRows table, String subject, List<RecordedEvent> history, List<Row> found) {
        Map<String, Row> left = new TreeMap<>();
        found.forEach(row -> left.put(row.key(), row));
        List<Row> expected;
        try {
            expected = table.expected(history, moment);
        } catch (IllegalStateException | NullPointerException e) {
            // An event out of order, or without a required field.
            tell(
                    new Difference(
                            table.table(),
                            subject + "as a whole",
                            "a history that can have happened",
                            String.valueOf(e.getMessage())));
            return;
        }
        for (Row row : expected) {
            Row there = left.remove(row.key());
            String where = subject + row.key();
            if (there != null) {
                compare(table.table(), where, row, there);
            } else if (row.owed()) {
                tell(new Difference(table.table(), where, row.columns().toString(), NOTHING));
            }
        }
        for (Row row : left.values()) {
            tell(
                    new Difference(
                            table.table(), subject + row.key(), NOTHING, row.columns().toString()));
        }
    }

    private void compare(String table, String where, Row expected, Row found) {
        expected.columns()
                .forEach(
                        (column, value) -> {
                            String there = found.columns().get(column);
                            if (!Objects.equals(value, there)) {
                                tell(
                                        new Difference(
                                                table,
                                                where + " " + column,
                                                value,
                                                there == null ? NOTHING : there));
                            }
                        });
    }

    void invariants(List<Invariant> invariants) throws SQLException {
        for (Invariant invariant : invariants) {
            try (Statement select = connection.createStatement();
                    ResultSet row = select.executeQuery(invariant.violations())) {
                while (row.next()) {
                    tell(
                            new Difference(
                                    invariant.table(),
                                    row.getString(1),
                                    row.getString(2),
                                    row.getString(3)));
                }
            }
        }
    }

    void inspect(List<Inspection> inspections) throws SQLException {
        for (Inspection inspection : inspections) {
            inspection.inspect(
                    connection,
                    (table, where, expected, found) ->
                            tell(new Difference(table, where, expected, found)));
        }
    }

    private void tell(Difference difference) {
        differences++;
        consumer.accept(difference);
    }

    private static List<DerivedRows> of(Subject subject, List<DerivedRows> tables) {
        return tables.stream().filter(table -> table.subject() == subject).toList();
    }

    long leases() {
        return leases;
    }

    long events() {
        return events;
    }

    long differences() {
        return differences;
    }
}
