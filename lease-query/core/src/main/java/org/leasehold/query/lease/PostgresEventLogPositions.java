package org.leasehold.query.lease;

import org.leasehold.readmodel.event.EventLogPositions;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Positions in the order of commits, so that no earlier one appears later. */
final class PostgresEventLogPositions implements EventLogPositions {

    private static final String SELECT_LAST_POSITION =
            "SELECT coalesce(max(position), 0) FROM domain_event";

    // Events are stored in the order of time, so a binary search finds the last one, and no index
    // is needed. Some positions have no event.
    private static final String SELECT_POSITION_AT =
            """
            WITH RECURSIVE probe (low, high) AS (
                SELECT 0::bigint, (SELECT coalesce(max(position), 0) FROM domain_event)
              UNION ALL
                SELECT CASE WHEN found.recorded_at <= :instant THEN found.position ELSE low END,
                    CASE WHEN found.recorded_at <= :instant THEN high ELSE (low + high + 1) / 2 - 1 END
                FROM probe, LATERAL (
                    SELECT position, recorded_at FROM domain_event
                    WHERE position >= (low + high + 1) / 2
                    ORDER BY position LIMIT 1) found
                WHERE low < high)
            SELECT max(low) FROM probe
            """;

    private final JdbcClient jdbc;

    PostgresEventLogPositions(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public long last() {
        return jdbc.sql(SELECT_LAST_POSITION).query(Long.class).single();
    }

    @Override
    public long at(Instant instant) {
        // A finer value would be rounded up by the database.
        return jdbc.sql(SELECT_POSITION_AT)
                .param("instant", instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC))
                .query(Long.class)
                .single();
    }
}
