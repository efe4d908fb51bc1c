package org.leasehold.saga.retry;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * The waiting requests, derived from the refused attempts. A row may be absent, because earlier
 * versions did not write any, and it may remain for a while after the last attempt.
 */
final class RetriedRequestRows implements DerivedRows {

    @Override
    public String table() {
        return "retried_request";
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return "SELECT lease_id::text, floor(extract(epoch FROM next_attempt))::bigint"
                + " FROM retried_request ORDER BY 1";
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return row(row.getLong(2));
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        return life.stream()
                .map(RecordedEvent::event)
                .filter(LeaseRetryScheduled.class::isInstance)
                .map(LeaseRetryScheduled.class::cast)
                .map(event -> row(event.plan().nextAttempt().getEpochSecond()))
                .distinct()
                .toList();
    }

    private static Row row(long nextAttempt) {
        return new Row("next attempt " + nextAttempt, Map.of(), false);
    }
}
