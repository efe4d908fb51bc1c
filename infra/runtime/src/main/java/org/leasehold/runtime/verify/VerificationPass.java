package org.leasehold.runtime.verify;

import org.leasehold.history.ConsistencyCheck;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.DerivedRows.Moment;
import org.leasehold.history.DerivedRows.Row;
import org.leasehold.history.DerivedRows.Subject;
import org.leasehold.history.EventLog;
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
final class VerificationPass {

    private static final String NOTHING = "nothing";

    private final Connection connection;
    private final Moment moment;
    private final Consumer<VerificationDifference> consumer;
    private long leases;
    private long events;
    private long differences;

    VerificationPass(
            Connection connection, Moment moment, Consumer<VerificationDifference> consumer) {
        this.connection = connection;
        this.moment = moment;
        this.consumer = consumer;
    }

    void checkInventory(EventLog log, List<DerivedRows> tables) throws SQLException {
        List<RecordedEvent> history = log.readInventory(connection);
        events += history.size();
        Map<String, List<RecordedEvent>> streams = new LinkedHashMap<>();
        for (RecordedEvent event : history) {
            streams.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
        }
        long before = differences;
        streams.values()
                .forEach(stream -> EventStreamCheck.findDifferences(stream).forEach(this::report));
        if (differences > before) {
            return;
        }
        for (DerivedRows table : tablesOf(Subject.INVENTORY, tables)) {
            compare(table, "", history, readRows(table));
        }
    }

    private List<Row> readRows(DerivedRows table) throws SQLException {
        List<Row> found = new ArrayList<>();
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(table.query())) {
            while (row.next()) {
                found.add(table.parseRow(row));
            }
        }
        return found;
    }

    void leases(EventLog log, List<DerivedRows> tables) throws SQLException {
        List<LeaseRowCursor> kept = new ArrayList<>();
        try {
            for (DerivedRows table : tablesOf(Subject.LEASE, tables)) {
                kept.add(LeaseRowCursor.open(table, connection));
            }
            log.readLeases(connection, life -> checkLease(life, kept));
            for (LeaseRowCursor rows : kept) {
                rows.readRemaining((lease, row) -> reportUnexpectedRow(rows.table(), lease, row));
            }
        } finally {
            for (LeaseRowCursor rows : kept) {
                rows.close();
            }
        }
    }

    private void checkLease(List<RecordedEvent> life, List<LeaseRowCursor> kept)
            throws SQLException {
        leases++;
        events += life.size();
        String lease = life.getFirst().stream();
        List<VerificationDifference> broken = EventStreamCheck.findDifferences(life);
        broken.forEach(this::report);
        for (LeaseRowCursor rows : kept) {
            DerivedRows table = rows.table();
            List<Row> found =
                    rows.readLease(lease, (other, row) -> reportUnexpectedRow(table, other, row));
            if (broken.isEmpty()) {
                compare(table, "lease " + lease + " ", life, found);
            }
        }
    }

    private void reportUnexpectedRow(DerivedRows table, String lease, Row row) {
        report(
                new VerificationDifference(
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
            expected = table.expectedRows(history, moment);
        } catch (IllegalStateException | NullPointerException e) {
            // An event out of order, or without a required field.
            report(
                    new VerificationDifference(
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
                report(
                        new VerificationDifference(
                                table.table(), where, row.columns().toString(), NOTHING));
            }
        }
        for (Row row : left.values()) {
            report(
                    new VerificationDifference(
                            table.table(), subject + row.key(), NOTHING, row.columns().toString()));
        }
    }

    private void compare(String table, String where, Row expected, Row found) {
        expected.columns()
                .forEach(
                        (column, value) -> {
                            String there = found.columns().get(column);
                            if (!Objects.equals(value, there)) {
                                report(
                                        new VerificationDifference(
                                                table,
                                                where + " " + column,
                                                value,
                                                there == null ? NOTHING : there));
                            }
                        });
    }

    void checkInvariants(List<Invariant> invariants) throws SQLException {
        for (Invariant invariant : invariants) {
            try (Statement select = connection.createStatement();
                    ResultSet row = select.executeQuery(invariant.violations())) {
                while (row.next()) {
                    report(
                            new VerificationDifference(
                                    invariant.table(),
                                    row.getString(1),
                                    row.getString(2),
                                    row.getString(3)));
                }
            }
        }
    }

    void runChecks(List<ConsistencyCheck> inspections) throws SQLException {
        for (ConsistencyCheck inspection : inspections) {
            inspection.inspect(
                    connection,
                    (table, where, expected, found) ->
                            report(new VerificationDifference(table, where, expected, found)));
        }
    }

    private void report(VerificationDifference difference) {
        differences++;
        consumer.accept(difference);
    }

    private static List<DerivedRows> tablesOf(Subject subject, List<DerivedRows> tables) {
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
