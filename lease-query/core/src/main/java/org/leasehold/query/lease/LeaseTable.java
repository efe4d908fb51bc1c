package org.leasehold.query.lease;

import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** A table of leases to write: the served one, or the one that is about to replace it. */
final class LeaseTable {

    private final JdbcTemplate jdbc;
    private final LeaseViewCodec codec;
    private final String upsert;
    private final String delete;
    private final String select;

    LeaseTable(JdbcTemplate jdbc, LeaseViewCodec codec, String table) {
        this.jdbc = jdbc;
        this.codec = codec;
        this.upsert =
                """
                INSERT INTO %s (lease_id, project_id, status, created_at, view, name, user_id,
                    starts, ends, kinds, unfinished)
                VALUES (?, ?, ?, ?, ?::json, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (lease_id) DO UPDATE
                    SET status = EXCLUDED.status, created_at = EXCLUDED.created_at,
                        view = EXCLUDED.view, name = EXCLUDED.name, user_id = EXCLUDED.user_id,
                        starts = EXCLUDED.starts, ends = EXCLUDED.ends, kinds = EXCLUDED.kinds,
                        unfinished = EXCLUDED.unfinished
                """
                        .formatted(table);
        this.delete = "DELETE FROM %s WHERE lease_id = ?".formatted(table);
        this.select = "SELECT view FROM %s WHERE lease_id = ANY (?)".formatted(table);
    }

    List<LeaseView> load(Collection<LeaseId> ids) {
        UUID[] keys = ids.stream().map(LeaseId::value).toArray(UUID[]::new);
        return jdbc.query(select, (row, _) -> codec.decode(row.getString(1)), (Object) keys);
    }

    void store(Collection<LeaseView> views) {
        List<Object[]> rows = views.stream().map(this::row).toList();
        write(upsert, rows);
    }

    void remove(Collection<LeaseId> ids) {
        write(delete, ids.stream().map(id -> new Object[] {id.value()}).toList());
    }

    private void write(String statement, List<Object[]> rows) {
        switch (rows.size()) {
            case 0 -> {}
            case 1 -> jdbc.update(statement, rows.getFirst());
            default -> jdbc.batchUpdate(statement, rows);
        }
    }

    private Object[] row(LeaseView view) {
        return new Object[] {
            view.id().value(),
            view.projectId().value(),
            view.status().name(),
            view.createdAt().atOffset(ZoneOffset.UTC),
            codec.encode(view),
            view.name(),
            view.userId().value(),
            view.period().start().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC),
            view.period().end().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC),
            kinds(view),
            view.status() != LeaseStatus.ENDED
        };
    }

    /** Returns the kinds of the reservations, in order. */
    static String[] kinds(LeaseView view) {
        return view.reservations().stream()
                .map(reservation -> reservation.kind().value())
                .distinct()
                .sorted()
                .toArray(String[]::new);
    }
}
