package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.readmodel.lease.LeaseView;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The expected rows of the table of leases, from the events. */
final class LeaseRows implements DerivedRows {

    private static final String KEY = "lease";

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
        return "SELECT lease_id, project_id, status, created_at, view FROM lease ORDER BY lease_id";
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return row(
                row.getString(2),
                row.getString(3),
                row.getObject(4, OffsetDateTime.class).toInstant(),
                row.getString(5));
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        @Nullable LeaseView view = LeaseFold.of(life);
        return view == null
                ? List.of()
                : List.of(
                        row(
                                view.projectId().value(),
                                view.status().name(),
                                view.createdAt(),
                                codec.encode(view)));
    }

    private Row row(String project, String status, Instant createdAt, String view) {
        Map<String, String> columns = new TreeMap<>();
        columns.put("project_id", project);
        columns.put("status", status);
        columns.put("created_at", createdAt.toString());
        Map<String, @Nullable Object> fields = reader.readValue(view);
        fields.forEach(
                (name, value) -> columns.put("view." + name, writer.writeValueAsString(value)));
        return new Row(KEY, columns);
    }
}
