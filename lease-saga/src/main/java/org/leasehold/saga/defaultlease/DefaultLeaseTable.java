package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.LeasableObject;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The requests for default leases, one row for each server. All nodes share the rows: a statement
 * changes a row only if no other node has changed it since.
 */
final class DefaultLeaseTable {

    private final JdbcClient jdbc;

    DefaultLeaseTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The state of a server's default lease. */
    enum State {
        /** The request may have been sent. */
        REQUESTED,
        /** The server has its default lease. */
        LEASED,
        /** The last request was refused, or its result is unknown. */
        REFUSED,
        /** The default lease has ended; the server gets another one if it runs. */
        ENDED
    }

    /**
     * The request for one server.
     *
     * @param lease the lease that is or will be requested
     * @param project the project of the server at the last request
     * @param reason the reason for a refusal or an unknown result; null in other states
     * @param attempts the number of refusals since the last grant
     * @param nextAttempt the time from which the request may be sent; null for a leased server
     */
    record Row(
            String server,
            ProjectId project,
            LeaseId lease,
            State state,
            @Nullable String reason,
            int attempts,
            @Nullable Instant nextAttempt) {

        /** Returns whether a request may be sent at a time. */
        boolean isDue(Instant now) {
            return nextAttempt != null && !nextAttempt.isAfter(now);
        }
    }

    /**
     * The request that a node sends.
     *
     * @param refusals the number of refusals since the last grant
     */
    record Claim(LeaseId lease, int refusals) {}

    /** Returns the rows of a kind, by the id of the server. */
    Map<String, Row> findAll(ResourceKind kind) {
        return jdbc
                .sql("SELECT * FROM default_lease WHERE kind = ?")
                .param(kind.value())
                .query((row, _) -> row(row))
                .list()
                .stream()
                .collect(Collectors.toMap(Row::server, Function.identity()));
    }

    private static Row row(ResultSet row) throws SQLException {
        OffsetDateTime next = row.getObject("next_attempt_at", OffsetDateTime.class);
        return new Row(
                row.getString("server_id"),
                new ProjectId(row.getString("project_id")),
                new LeaseId(row.getObject("lease_id", UUID.class)),
                State.valueOf(row.getString("state")),
                row.getString("reason"),
                row.getInt("attempts"),
                next == null ? null : next.toInstant());
    }

    /**
     * Stores that this node requests a default lease.
     *
     * @param first the id of the lease if the server has no row; otherwise the row has the id
     * @param listedAt the time before the server was listed: a row that changed later is newer than
     *     the listing
     * @param until the time from which another node may continue
     * @return the request to send; empty if another node sends it, or the server has its lease
     */
    Optional<Claim> claim(LeasableObject server, LeaseId first, Instant listedAt, Instant until) {
        return jdbc.sql(
                        """
                        INSERT INTO default_lease (server_id, kind, project_id, lease_id, state,
                                                   attempts, next_attempt_at)
                        VALUES (?, ?, ?, ?, 'REQUESTED', 0, ?)
                        ON CONFLICT (server_id) DO UPDATE
                        SET state = 'REQUESTED', next_attempt_at = excluded.next_attempt_at,
                            project_id = excluded.project_id
                        WHERE default_lease.next_attempt_at <= ?
                        RETURNING lease_id, attempts
                        """)
                .params(
                        server.id(),
                        server.kind().value(),
                        server.project().value(),
                        first.value(),
                        utc(until),
                        utc(listedAt))
                .query(
                        (row, _) ->
                                new Claim(new LeaseId(row.getObject(1, UUID.class)), row.getInt(2)))
                .optional();
    }

    /** Stores that the server has this default lease. */
    void storeGrant(String server, LeaseId lease) {
        jdbc.sql(
                        """
                        UPDATE default_lease
                        SET state = 'LEASED', reason = NULL, attempts = 0, next_attempt_at = NULL
                        WHERE server_id = ? AND lease_id = ?
                        """)
                .params(server, lease.value())
                .update();
    }

    /**
     * Stores a refusal, or an unknown result.
     *
     * @param next the lease of the next request; another one if the event log has the refused one
     */
    void storeRefusal(
            String server, LeaseId lease, LeaseId next, String reason, Instant nextAttempt) {
        jdbc.sql(
                        """
                        UPDATE default_lease
                        SET state = 'REFUSED', lease_id = ?, reason = ?, attempts = attempts + 1,
                            next_attempt_at = ?
                        WHERE server_id = ? AND lease_id = ? AND state = 'REQUESTED'
                        """)
                .params(next.value(), reason, utc(nextAttempt), server, lease.value())
                .update();
    }

    /**
     * Stores the end of a default lease.
     *
     * @param next the lease of the next request
     */
    void storeEnd(String server, LeaseId lease, LeaseId next, Instant nextAttempt) {
        jdbc.sql(
                        """
                        UPDATE default_lease
                        SET state = 'ENDED', lease_id = ?, next_attempt_at = ?
                        WHERE server_id = ? AND lease_id = ? AND state = 'LEASED'
                        """)
                .params(next.value(), utc(nextAttempt), server, lease.value())
                .update();
    }

    /** Deletes the row of a server that does not exist any more. */
    void delete(String server, LeaseId lease) {
        jdbc.sql("DELETE FROM default_lease WHERE server_id = ? AND lease_id = ?")
                .params(server, lease.value())
                .update();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
