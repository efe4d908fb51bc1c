package org.leasehold.query.capacity.projection;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.DerivedRows.Moment;
import org.leasehold.history.DerivedRows.Row;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.account.ResourceKinds;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.readmodel.capacity.Capacities;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The differences that {@code verify} finds between the tables of capacity and the events. */
final class CapacityViolations {

    private final BookingEventLog journal;

    CapacityViolations(BookingEventLog journal) {
        this.journal = journal;
    }

    /** Returns a text for each difference. */
    List<String> find() {
        List<String> found = new ArrayList<>();
        for (var invariant :
                List.of(
                        CapacityInvariants.CHANGES_MATCH_BOOKINGS,
                        CapacityInvariants.OBSERVATIONS_MATCH_EVENTS,
                        CapacityInvariants.IDLE_SPANS_MATCH_OBSERVATIONS,
                        CapacityInvariants.FIRST_REQUESTS_HAVE_POOLS,
                        CapacityInvariants.HOURS_MATCH_CHANGES)) {
            journal.jdbc()
                    .queryForList(invariant.violations())
                    .forEach(row -> found.add(row.toString()));
        }
        Moment moment =
                new Moment(
                        Instant.now(), 0, Map.of(Capacities.READ_MODEL, journal.database.head()));
        List<RecordedEvent> inventory = new ArrayList<>();
        Map<String, List<RecordedEvent>> leases = new LinkedHashMap<>();
        for (RecordedEvent event : history(journal.database.head())) {
            if (event.event() instanceof ResourceEvent) {
                inventory.add(event);
            } else if (event.event() instanceof LeaseEvent) {
                leases.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
            }
        }
        found.addAll(different(new CapacityMemberRows(), List.of(inventory), moment));
        found.addAll(different(new CapacitySpanRows(), leases.values(), moment));
        found.addAll(
                different(
                        new CapacityRefusalRows(new ResourceKinds(journal.jdbc())),
                        leases.values(),
                        moment));
        return found;
    }

    private List<String> different(
            DerivedRows rows, Iterable<List<RecordedEvent>> subjects, Moment moment) {
        List<String> expected = new ArrayList<>();
        for (List<RecordedEvent> subject : subjects) {
            rows.expectedRows(subject, moment).stream().map(Row::toString).forEach(expected::add);
        }
        List<String> found = new ArrayList<>();
        try (Connection connection = journal.database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(rows.query())) {
            while (row.next()) {
                found.add(rows.parseRow(row).toString());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        expected.sort(null);
        found.sort(null);
        return expected.equals(found) ? List.of() : List.of(expected + " but " + found);
    }

    /** Returns the events up to a position. */
    List<RecordedEvent> history(long last) {
        try (Connection connection = journal.database.dataSource().getConnection()) {
            return journal.database.readAfter(connection, 0, Integer.MAX_VALUE).stream()
                    .filter(event -> event.position() <= last)
                    .toList();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
