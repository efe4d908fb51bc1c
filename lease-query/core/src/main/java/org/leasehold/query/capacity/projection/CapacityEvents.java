package org.leasehold.query.capacity.projection;

import org.leasehold.history.DerivedRows.Moment;
import org.leasehold.history.RecordedEvent;
import org.leasehold.readmodel.capacity.Capacities;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;

/** The events that the tables of capacity include. */
final class CapacityEvents {

    private CapacityEvents() {}

    /** Returns the events up to the tables' position, in order. */
    static List<RecordedEvent> of(List<RecordedEvent> events, Moment moment) {
        long last = Objects.requireNonNull(moment.standing().get(Capacities.READ_MODEL));
        return events.stream().filter(event -> event.position() <= last).toList();
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
