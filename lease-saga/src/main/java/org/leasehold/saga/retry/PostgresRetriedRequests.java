package org.leasehold.saga.retry;

import org.jspecify.annotations.Nullable;
import org.leasehold.saga.Cause;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.JdbcOperations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * The waiting requests in PostgreSQL, on the transaction's connection. Those who wake or remove
 * requests skip rows that other transactions have locked: these are woken or refused at the same
 * moment. A refused attempt waits for such rows, under the lock of all appends. So nothing slow
 * follows in a transaction that has woken requests.
 */
record PostgresRetriedRequests(JdbcOperations jdbc) implements RetriedRequests {

    private static final String AWAIT =
            """
            INSERT INTO retried_request
                (lease_id, kinds, starts, ends, since, next_attempt, early_from,
                 event_id, request_id, refused_at)
            SELECT r.lease_id, string_to_array(r.kinds, E'\\n'), r.starts::timestamptz,
                   r.ends::timestamptz, r.refused_at::timestamptz, r.next_attempt::timestamptz,
                   r.early_from::timestamptz, r.event_id, r.request_id, r.refused_at::timestamptz
            FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                        ?::text[], ?::text[], ?::text[])
                AS r (lease_id, kinds, starts, ends, next_attempt, early_from,
                      event_id, request_id, refused_at)
            ORDER BY r.lease_id
            ON CONFLICT (lease_id) DO UPDATE
            SET kinds = excluded.kinds, starts = excluded.starts, ends = excluded.ends,
                next_attempt = excluded.next_attempt, early_from = excluded.early_from,
                event_id = excluded.event_id, request_id = excluded.request_id,
                refused_at = excluded.refused_at, woken_for = NULL
            """;

    private static final String IS_ANY =
            """
            SELECT EXISTS (
                SELECT FROM retried_request
                WHERE next_attempt > ? AND (woken_for IS NULL OR woken_for > ?))
            """;

    private static final String WAKE =
            """
            WITH freed AS (
                SELECT ?::text AS kind, ?::timestamptz AS starts, ?::timestamptz AS ends,
                       ?::boolean AS held_before, ?::timestamptz AS now),
            fit AS MATERIALIZED (
                SELECT r.lease_id, r.since, r.early_from, d.due
                FROM freed f, retried_request r, LATERAL (
                    SELECT greatest(f.now, r.early_from,
                                    CASE WHEN f.held_before AND r.starts < f.starts
                                         THEN f.starts END) AS due) d
                WHERE (r.woken_for IS NULL OR d.due < r.woken_for) AND r.kinds @> ARRAY[f.kind]
                  AND r.starts < f.ends AND r.ends > f.starts AND d.due < r.next_attempt
                ORDER BY d.due > f.now, r.early_from NULLS FIRST, r.since, r.lease_id LIMIT ?
                FOR UPDATE OF r SKIP LOCKED),
            woken AS (
                UPDATE retried_request r SET woken_for = fit.due FROM fit
                WHERE r.lease_id = fit.lease_id
                RETURNING r.lease_id, r.since, r.early_from, r.event_id, r.request_id,
                          r.refused_at, fit.due)
            SELECT lease_id, due, event_id, request_id, refused_at FROM woken
            ORDER BY due, early_from NULLS FIRST, since, lease_id
            """;

    private static final String REMOVE =
            """
            DELETE FROM retried_request WHERE lease_id IN (
                SELECT lease_id FROM retried_request WHERE lease_id = ANY (?) OR next_attempt < ?
                FOR UPDATE SKIP LOCKED)
            """;

    @Override
    public void await(List<Waiting> requests) {
        jdbc.update(
                AWAIT,
                requests.stream().map(each -> each.lease().value()).toArray(UUID[]::new),
                // No kind contains a line break.
                column(requests, each -> String.join("\n", each.kinds())),
                column(requests, each -> each.window().start().toString()),
                column(requests, each -> each.window().end().toString()),
                column(requests, each -> each.nextAttempt().toString()),
                column(requests, PostgresRetriedRequests::earlyFrom),
                column(requests, each -> each.cause().event()),
                column(requests, each -> each.cause().requestId()),
                column(requests, each -> each.cause().at().toString()));
    }

    private static @Nullable String earlyFrom(Waiting request) {
        return request.earlyFrom() == null ? null : request.earlyFrom().toString();
    }

    private static @Nullable String[] column(
            List<Waiting> requests, Function<Waiting, @Nullable String> value) {
        return requests.stream().map(value).toArray(String[]::new);
    }

    @Override
    public boolean isAny(Instant now) {
        OffsetDateTime time = now.atOffset(ZoneOffset.UTC);
        return Boolean.TRUE.equals(jdbc.queryForObject(IS_ANY, Boolean.class, time, time));
    }

    @Override
    public List<Woken> wake(FreedCapacity freed, Instant now, int limit) {
        return jdbc.query(
                WAKE,
                (row, _) ->
                        new Woken(
                                new LeaseId(row.getObject(1, UUID.class)),
                                instant(row, 2),
                                new Cause(row.getString(3), row.getString(4), instant(row, 5))),
                freed.kind().value(),
                freed.window().start().atOffset(ZoneOffset.UTC),
                freed.window().end().atOffset(ZoneOffset.UTC),
                freed.heldBefore(),
                now.atOffset(ZoneOffset.UTC),
                limit);
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    @Override
    public void remove(Collection<LeaseId> leases, Instant dueBefore) {
        jdbc.update(
                REMOVE,
                leases.stream().map(LeaseId::value).toArray(UUID[]::new),
                dueBefore.atOffset(ZoneOffset.UTC));
    }
}
