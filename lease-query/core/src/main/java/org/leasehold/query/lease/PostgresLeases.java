package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Leases from the {@code lease} table. */
final class PostgresLeases implements Leases {

    private static final Pattern UUID_PATTERN =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private static final String SELECT_CREATED_AT =
            """
            SELECT created_at FROM lease
            WHERE lease_id = ? AND (?::text IS NULL OR project_id = ?)
            UNION ALL
            SELECT decided_at FROM domain_event
            WHERE stream_id = ? AND sequence = 0 AND event_type = 'LeaseRequested'
              AND (?::text IS NULL OR payload ->> 'projectId' = ?)
            LIMIT 1
            """;

    private final JdbcTemplate jdbc;
    private final LeaseViewCodec codec;
    private final ReadYourWritesCache justWritten;
    private final LeaseHistory history;
    private final EventStreams streams;
    private final PastLeases past;
    private final OutOfServiceAnnotator outOfService;

    PostgresLeases(
            JdbcTemplate jdbc,
            LeaseViewCodec codec,
            ReadYourWritesCache justWritten,
            LeaseHistory history,
            EventStreams streams) {
        this.jdbc = jdbc;
        this.codec = codec;
        this.justWritten = justWritten;
        this.history = history;
        this.streams = streams;
        this.past = new PastLeases(jdbc, streams);
        this.outOfService = new OutOfServiceAnnotator(jdbc);
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        Conditions conditions = new Conditions().and("lease_id = ?", id.value());
        restrictToProject(conditions, project);
        return outOfService
                .annotate(
                        jdbc.query(
                                "SELECT view FROM lease" + conditions.text(),
                                (row, _) -> codec.decode(row.getString(1)),
                                conditions.values()))
                .stream()
                .findFirst();
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        ConnectionCallback<List<RecordedEvent>> life =
                connection -> streams.read(connection, id.toString(), asOf);
        return Optional.ofNullable(LeaseFold.of(Objects.requireNonNull(jdbc.execute(life))))
                .filter(lease -> project == null || project.equals(lease.projectId()));
    }

    @Override
    public Map<LeaseId, LeaseView> find(Set<LeaseId> ids, long asOf) {
        List<String> names = ids.stream().map(LeaseId::toString).toList();
        ConnectionCallback<List<RecordedEvent>> reading =
                connection -> streams.read(connection, names, asOf);
        Map<String, List<RecordedEvent>> lives =
                Objects.requireNonNull(jdbc.execute(reading)).stream()
                        .collect(Collectors.groupingBy(RecordedEvent::stream));
        Map<LeaseId, LeaseView> found = new HashMap<>();
        for (List<RecordedEvent> life : lives.values()) {
            LeaseView lease = LeaseFold.of(life);
            if (lease != null) {
                found.put(lease.id(), lease);
            }
        }
        return found;
    }

    @Override
    public Set<LeaseId> findUnfinished(Set<LeaseId> ids) {
        return Set.copyOf(
                jdbc.query(
                        "SELECT lease_id FROM lease WHERE lease_id = ANY (?) AND status <> ?",
                        (row, _) -> new LeaseId(row.getObject(1, UUID.class)),
                        ids.stream().map(LeaseId::value).toArray(UUID[]::new),
                        LeaseStatus.ENDED.name()));
    }

    @Override
    public Optional<LeaseView> findWritten(LeaseId id, @Nullable ProjectId project) {
        return justWritten
                .take(id, project)
                .map(lease -> outOfService.annotate(List.of(lease)).getFirst())
                .or(() -> find(id, project));
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        Conditions conditions = new Conditions();
        restrictToProject(conditions, question.project());
        if (!question.statuses().isEmpty()) {
            String[] statuses =
                    question.statuses().stream().map(LeaseStatus::name).toArray(String[]::new);
            conditions.and("status = ANY (?)", (Object) statuses);
        }
        String name = question.name();
        if (name != null) {
            conditions.and("view ->> 'name' = ?", name);
        }
        Order order = question.direction() == SortDirection.ASCENDING ? Order.UP : Order.DOWN;
        String marker = question.marker();
        if (marker != null) {
            LeaseMarker after = parseMarker(marker, question.project());
            conditions.and(
                    "(created_at, lease_id) %s (?, ?)".formatted(order.comparison),
                    after.createdAt().atOffset(ZoneOffset.UTC),
                    after.id().value());
        }
        // One lease more than requested shows whether there is a next page.
        List<Row> rows =
                jdbc.query(
                        "SELECT created_at, view FROM lease%s ORDER BY %s LIMIT %s"
                                .formatted(conditions.text(), order.orderBy, question.limit() + 1),
                        (row, _) -> row(row),
                        conditions.values());
        Page<LeaseView> page =
                Page.of(
                                rows,
                                question.limit(),
                                last -> new LeaseMarker(last.createdAt(), last.view().id()).text())
                        .map(Row::view);
        return new Page<>(outOfService.annotate(page.items()), page.next());
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        return past.page(question, asOf);
    }

    /**
     * Returns the end of the page before, from its marker or its last lease. That lease may be
     * deleted by now: its history still has the time of its creation.
     */
    private LeaseMarker parseMarker(String marker, @Nullable ProjectId project) {
        if (!UUID_PATTERN.matcher(marker).matches()) {
            return Page.parseMarker(marker, LeaseMarker::of);
        }
        LeaseId id = LeaseId.of(marker);
        String owner = project == null ? null : project.value();
        return jdbc
                .query(
                        SELECT_CREATED_AT,
                        (row, _) -> row.getObject(1, OffsetDateTime.class),
                        id.value(),
                        owner,
                        owner,
                        id.toString(),
                        owner,
                        owner)
                .stream()
                .findFirst()
                .map(made -> new LeaseMarker(made.toInstant(), id))
                .orElseThrow(() -> new UnknownMarker(marker));
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        return history.of(id, project);
    }

    private Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getObject(1, OffsetDateTime.class).toInstant(), codec.decode(row.getString(2)));
    }

    private static void restrictToProject(Conditions conditions, @Nullable ProjectId project) {
        if (project != null) {
            conditions.and("project_id = ?", project.value());
        }
    }

    /** A row; the order is the column's, which may be coarser than the view's instant. */
    private record Row(Instant createdAt, LeaseView view) {}

    private enum Order {
        UP("created_at, lease_id", ">"),
        DOWN("created_at DESC, lease_id DESC", "<");

        private final String orderBy;
        private final String comparison;

        Order(String by, String beyond) {
            this.orderBy = by;
            this.comparison = beyond;
        }
    }

    /** The conditions of a query; only those that it has, so that each finds its index. */
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
