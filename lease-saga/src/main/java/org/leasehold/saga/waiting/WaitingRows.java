package org.leasehold.saga.waiting;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.vocabulary.ReservationId;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The awaited reservations of a lease, derived from its events. */
final class WaitingRows implements DerivedRows {

    @Override
    public String table() {
        return "waiting";
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return "SELECT lease_id::text, reservation_id::text FROM waiting ORDER BY 1";
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return row(row.getString(2), true);
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        boolean behind = life.getLast().position() > moment.followed();
        if (behind) {
            // The state before or after: any reservation that it has ever waited for may be stored.
            return life.stream()
                    .flatMap(WaitingRows::awaited)
                    .distinct()
                    .map(reservation -> row(reservation.toString(), false))
                    .toList();
        }
        List<ReservationId> awaited = List.of();
        for (RecordedEvent recorded : life) {
            switch (recorded.event()) {
                case LeaseDelayed delayed -> awaited = delayed.awaited();
                case LeaseStarting _, LeaseEnding _, LeaseEnded _ -> awaited = List.of();
                default -> {}
            }
        }
        return awaited.stream().map(reservation -> row(reservation.toString(), true)).toList();
    }

    private static Stream<ReservationId> awaited(RecordedEvent recorded) {
        return recorded.event() instanceof LeaseDelayed delayed
                ? delayed.awaited().stream()
                : Stream.empty();
    }

    private static Row row(String reservation, boolean owed) {
        return new Row("for reservation " + reservation, Map.of(), owed);
    }
}
