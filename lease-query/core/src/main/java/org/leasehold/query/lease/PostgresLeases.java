package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.lease.page.LeasePageQuery;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
            WHERE stream_id = ? AND sequence = 0
              AND event_type IN ('LeaseRequested', 'LeaseRetryScheduled')
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
        return outOfService
                .annotate(
                        jdbc.query(
                                "SELECT view FROM lease WHERE lease_id = ?",
                                (row, _) -> codec.decode(row.getString(1)),
                                id.value()))
                .stream()
                .filter(lease -> project == null || project.equals(lease.projectId()))
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
        String marker = question.marker();
        LeasePageQuery query =
                new LeasePageQuery(
                        question,
                        longest(question.filter()),
                        marker == null ? null : sortKeys(marker, question));
        String list = LeaseMarker.nameOf(question);
        List<Row> rows =
                jdbc.query(
                        query.text(), (row, _) -> row(row, question.order().key()), query.values());
        Page<LeaseView> page =
                Page.of(rows, question.limit(), last -> new LeaseMarker(list, last.keys()).text())
                        .map(Row::view);
        return new Page<>(outOfService.annotate(page.items()), page.next());
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        return past.page(question, asOf);
    }

    /** Returns a length that no lease exceeds; anything if the list has no window. */
    private Duration longest(LeaseFilter filter) {
        Integer days =
                LeasePageQuery.hasWindow(filter)
                        ? jdbc.queryForObject(LeasePageQuery.SELECT_LONGEST, Integer.class)
                        : null;
        return days == null ? Duration.ZERO : Duration.ofDays(days + 1L);
    }

    /** Returns the sort keys of the last lease before a page. */
    private List<Object> sortKeys(String marker, ListLeases question) {
        if (question.order().key() == LeaseOrder.Key.CREATED
                && UUID_PATTERN.matcher(marker).matches()) {
            return sortKeysOfLease(marker, question.filter().project());
        }
        int size = LeasePageQuery.columns(question.order().key()).size();
        return Page.parseMarker(
                marker,
                text -> {
                    List<String> keys =
                            LeaseMarker.of(text, LeaseMarker.nameOf(question), size).keys();
                    List<Object> parsed = new ArrayList<>();
                    keys.subList(0, size - 1).forEach(time -> parsed.add(parseTime(time)));
                    parsed.add(LeaseId.of(keys.getLast()).value());
                    return parsed;
                });
    }

    /** Parses a time that the database can hold. */
    private static OffsetDateTime parseTime(String text) {
        OffsetDateTime time = Instant.parse(text).atOffset(ZoneOffset.UTC);
        if (time.getYear() < 1 || time.getYear() > 9999) {
            throw new IllegalArgumentException("not a time of a lease: " + text);
        }
        return time;
    }

    /** Does the same for a lease that may be deleted: its history still has the time. */
    private List<Object> sortKeysOfLease(String marker, @Nullable ProjectId project) {
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
                .map(made -> List.<Object>of(made, id.value()))
                .orElseThrow(() -> new UnknownMarker(marker));
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        return history.of(id, project);
    }

    @Override
    public Page<HistoryEntry> history(LeaseId id, @Nullable ProjectId project, HistoryPart part) {
        return history.page(id, project, part);
    }

    private Row row(ResultSet row, LeaseOrder.Key key) throws SQLException {
        int id = LeasePageQuery.columns(key).size();
        List<String> keys = new ArrayList<>();
        for (int i = 1; i < id; i++) {
            keys.add(row.getObject(i, OffsetDateTime.class).toInstant().toString());
        }
        keys.add(row.getString(id));
        return new Row(keys, codec.decode(row.getString(id + 1)));
    }

    /** A row; its sort keys are the columns', which may be coarser than the view's instants. */
    private record Row(List<String> keys, LeaseView view) {}
}
