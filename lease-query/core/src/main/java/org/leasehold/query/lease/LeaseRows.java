package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The expected rows of the table of leases, from the events. */
final class LeaseRows implements DerivedRows {

    private static final String KEY = "lease";

    private static final String KINDS = "kinds";

    private static final Set<String> TIMES = Set.of("created_at", "starts", "ends");

    private static final List<String> COLUMNS =
            List.of(
                    "project_id",
                    "status",
                    "created_at",
                    "name",
                    "user_id",
                    "starts",
                    "ends",
                    KINDS,
                    "unfinished");

    private final LeaseViewCodec codec;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    LeaseRows(JsonMapper json) {
        this.codec = new LeaseViewCodec(json);
        this.reader = json.readerFor(new TypeReference<Map<String, @Nullable Object>>() {});
        // The event log does not preserve the order of a request's parameters.
        this.writer =
                json.rebuild()
                        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                        .build()
                        .writer();
    }

    @Override
    public String table() {
        return "lease";
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return "SELECT lease_id, view, %s FROM lease ORDER BY lease_id"
                .formatted(String.join(", ", COLUMNS));
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        Map<String, String> columns = new TreeMap<>();
        for (String column : COLUMNS) {
            columns.put(column, text(row, column));
        }
        return row(columns, row.getString("view"));
    }

    private static String text(ResultSet row, String column) throws SQLException {
        if (TIMES.contains(column)) {
            return row.getObject(column, OffsetDateTime.class).toInstant().toString();
        }
        // The driver quotes the elements of an array only in its binary form.
        return column.equals(KINDS)
                ? text(List.of((String[]) row.getArray(column).getArray()))
                : row.getString(column);
    }

    private static String text(List<String> kinds) {
        return "{" + String.join(",", kinds) + "}";
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        @Nullable LeaseView view = LeaseFold.of(life);
        if (view == null) {
            return List.of();
        }
        Map<String, String> columns = new TreeMap<>();
        columns.put("project_id", view.projectId().value());
        columns.put("status", view.status().name());
        columns.put("created_at", view.createdAt().toString());
        columns.put("name", view.name());
        columns.put("user_id", view.userId().value());
        columns.put("starts", view.period().start().truncatedTo(ChronoUnit.MICROS).toString());
        columns.put("ends", view.period().end().truncatedTo(ChronoUnit.MICROS).toString());
        columns.put(KINDS, text(List.of(LeaseTable.kinds(view))));
        columns.put("unfinished", view.status() == LeaseStatus.ENDED ? "f" : "t");
        return List.of(row(columns, codec.encode(view)));
    }

    private Row row(Map<String, String> columns, String view) {
        Map<String, @Nullable Object> fields = reader.readValue(view);
        fields.forEach(
                (name, value) -> columns.put("view." + name, writer.writeValueAsString(value)));
        return new Row(KEY, columns);
    }
}
