package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.query.HistoryEntry;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases;
import org.leasehold.query.Page;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Leases as the {@code lease} table has them. */
final class PostgresLeases implements Leases {

    private final JdbcTemplate jdbc;
    private final TransactionOperations reading;
    private final LeaseViewCodec codec;
    private final LeaseHistory history;

    /**
     * @param jdbc with a fetch size: PostgreSQL's driver holds all rows in memory otherwise
     * @param reading read-only transactions: without one the driver ignores the fetch size
     */
    PostgresLeases(
            JdbcTemplate jdbc,
            TransactionOperations reading,
            LeaseViewCodec codec,
            LeaseHistory history) {
        this.jdbc = jdbc;
        this.reading = reading;
        this.codec = codec;
        this.history = history;
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        Conditions conditions = new Conditions().and("lease_id = ?", id.value());
        of(conditions, project);
        return jdbc
                .query(
                        "SELECT view FROM lease" + conditions.text(),
                        (row, _) -> codec.decode(row.getString(1)),
                        conditions.values())
                .stream()
                .findFirst();
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        Conditions conditions = new Conditions();
        of(conditions, question.project());
        LeaseStatus status = question.status();
        if (status != null) {
            conditions.and("status = ?", status.name());
        }
        String marker = question.marker();
        if (marker != null) {
            LeaseMarker after = LeaseMarker.of(marker);
            conditions.and(
                    "(created_at, lease_id) > (?, ?)",
                    after.createdAt().atOffset(ZoneOffset.UTC),
                    after.id().value());
        }
        // One more than asked for tells whether there is a next page.
        List<Row> rows =
                jdbc.query(
                        "SELECT created_at, view FROM lease%s ORDER BY created_at, lease_id LIMIT %d"
                                .formatted(conditions.text(), question.limit() + 1),
                        (row, _) -> row(row),
                        conditions.values());
        if (rows.size() <= question.limit()) {
            return new Page<>(rows.stream().map(Row::view).toList(), null);
        }
        List<Row> page = rows.subList(0, question.limit());
        Row last = page.getLast();
        return new Page<>(
                page.stream().map(Row::view).toList(),
                new LeaseMarker(last.createdAt(), last.view().id()).text());
    }

    @Override
    public void forEach(@Nullable ProjectId project, Consumer<LeaseView> consumer) {
        Conditions conditions = new Conditions();
        of(conditions, project);
        reading.executeWithoutResult(
                _ ->
                        jdbc.query(
                                "SELECT view FROM lease%s ORDER BY created_at, lease_id"
                                        .formatted(conditions.text()),
                                row -> {
                                    consumer.accept(codec.decode(row.getString(1)));
                                },
                                conditions.values()));
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        return history.of(id, project);
    }

    private Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getObject(1, OffsetDateTime.class).toInstant(), codec.decode(row.getString(2)));
    }

    private static void of(Conditions conditions, @Nullable ProjectId project) {
        if (project != null) {
            conditions.and("project_id = ?", project.value());
        }
    }

    /** The table's order is the column's, which may be coarser than the view's instant. */
    private record Row(Instant createdAt, LeaseView view) {}

    /** Only the conditions that a question has, so that each finds its index. */
    private static final class Conditions {

        private final List<String> terms = new ArrayList<>();
        private final List<Object> values = new ArrayList<>();

        Conditions and(String term, Object... operands) {
            terms.add(term);
            values.addAll(List.of(operands));
            return this;
        }

        String text() {
            return terms.isEmpty() ? "" : " WHERE " + String.join(" AND ", terms);
        }

        Object[] values() {
            return values.toArray();
        }
    }
}
