package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.Leases.HistoryPart;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** The stored events of a lease, also of a deleted or refused one. */
final class LeaseHistory {

    // The first event of a lease, accepted or refused, names its project.
    private static final String EVENTS =
            """
            SELECT position, sequence, recorded_at, event_type, metadata, payload
            FROM domain_event
            WHERE stream_type = 'Lease' AND stream_id = ? AND sequence > ? AND position <= ?
              AND (?::text IS NULL OR EXISTS (
                SELECT FROM domain_event first
                WHERE first.stream_id = domain_event.stream_id AND first.sequence = 0
                  AND first.payload ->> 'projectId' = ?))
            ORDER BY sequence
            LIMIT ?
            """;

    private final JdbcTemplate jdbc;
    private final ObjectReader metadataReader;
    private final ObjectReader payloadReader;

    LeaseHistory(JdbcTemplate jdbc, JsonMapper mapper) {
        this.jdbc = jdbc;
        this.metadataReader = mapper.readerFor(Origin.class);
        this.payloadReader =
                mapper.readerFor(new TypeReference<Map<String, @Nullable Object>>() {});
    }

    List<HistoryEntry> of(LeaseId id, @Nullable ProjectId project) {
        return entries(id, project, -1, Long.MAX_VALUE, null);
    }

    Page<HistoryEntry> page(LeaseId id, @Nullable ProjectId project, HistoryPart part) {
        Long after = part.after();
        // One event more than requested shows whether there is a next page.
        return Page.of(
                entries(id, project, after == null ? -1 : after, part.upTo(), part.limit() + 1),
                part.limit(),
                last -> Long.toString(last.sequence()));
    }

    private List<HistoryEntry> entries(
            LeaseId id,
            @Nullable ProjectId project,
            long after,
            long upTo,
            @Nullable Integer limit) {
        String owner = project == null ? null : project.value();
        return jdbc.query(
                EVENTS, (row, _) -> entry(row), id.toString(), after, upTo, owner, owner, limit);
    }

    private HistoryEntry entry(ResultSet row) throws SQLException {
        Origin origin = metadataReader.readValue(row.getString("metadata"));
        return new HistoryEntry(
                row.getLong("position"),
                row.getLong("sequence"),
                row.getObject("recorded_at", OffsetDateTime.class).toInstant(),
                row.getString("event_type"),
                origin.user(),
                origin.project(),
                origin.roles() == null ? List.of() : origin.roles(),
                origin.requestId(),
                origin.causation(),
                origin.reason(),
                payloadReader.readValue(row.getString("payload")));
    }

    /** The origin of an event, from its metadata. */
    private record Origin(
            @Nullable String user,
            @Nullable String project,
            @Nullable List<String> roles,
            @Nullable String requestId,
            @Nullable String causation,
            @Nullable String reason) {}
}
