package org.leasehold.command.epoch;

import org.leasehold.history.Epochs;
import org.leasehold.history.Epochs.Epoch;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;

/** The table {@code epoch}, with the queries for events that epochs need. */
public final class EpochTable {

    /**
     * Positions that a new epoch leaves unused, beyond the known lost ones. The file may be some
     * events behind, or belong to a machine that is gone.
     */
    static final long UNUSED_POSITIONS = 1_000_000;

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;

    public EpochTable(JdbcClient jdbc, TransactionOperations transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Reads the epochs of this database. */
    public Epochs epochs() {
        return new Epochs(
                jdbc.sql(
                                "SELECT number, began_after, lost_through, began_at FROM epoch"
                                        + " ORDER BY number")
                        .query(
                                (row, _) ->
                                        new Epoch(
                                                row.getLong(1),
                                                row.getLong(2),
                                                row.getLong(3),
                                                row.getObject(4, OffsetDateTime.class).toInstant()))
                        .list());
    }

    /** Reads the last event; empty if there is none yet. */
    Optional<LastEvent> lastEvent() {
        return jdbc.sql(
                        """
                        SELECT (SELECT max(number) FROM epoch), position, event_id
                        FROM domain_event ORDER BY position DESC LIMIT 1
                        """)
                .query(
                        (row, _) ->
                                new LastEvent(
                                        row.getLong(1),
                                        row.getLong(2),
                                        row.getObject(3, UUID.class)))
                .optional();
    }

    /** Returns true if the database contains the event and is not in an earlier epoch. */
    boolean contains(LastEvent event) {
        return jdbc.sql(
                        """
                        SELECT EXISTS (SELECT FROM domain_event
                                       WHERE position = :position AND event_id = :id)
                               AND (SELECT max(number) FROM epoch) >= :epoch
                        """)
                .param("position", event.position())
                .param("id", event.id())
                .param("epoch", event.epoch())
                .query(Boolean.class)
                .single();
    }

    /**
     * Begins an epoch after the last event, unless another node has done so meanwhile.
     *
     * @param number the number of the epoch
     * @param lost the position of the last event that is known to be lost; 0 if unknown
     */
    void begin(long number, long lost) {
        transactions.executeWithoutResult(
                _ -> {
                    // The lock of all appends: no event is stored between.
                    jdbc.sql("SELECT pg_advisory_xact_lock(1)").query().singleRow();
                    if (epochs().current().number() >= number) {
                        return;
                    }
                    long after = lastEvent().map(LastEvent::position).orElse(0L);
                    long lostThrough = Math.max(after, lost) + UNUSED_POSITIONS;
                    jdbc.sql(
                                    "INSERT INTO epoch (number, began_after, lost_through)"
                                            + " VALUES (?, ?, ?)")
                            .params(number, after, lostThrough)
                            .update();
                    // A rollback does not reset the sequence; it then only wastes positions.
                    jdbc.sql("SELECT setval(pg_get_serial_sequence('domain_event', 'position'), ?)")
                            .param(lostThrough)
                            .query(Long.class)
                            .single();
                });
    }
}
