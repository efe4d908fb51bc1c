package org.leasehold.query.refusal;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.refusal.Refusals;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Queries of refusals: small indexes of the entries have their positions, streams the events. */
public final class PostgresRefusals implements Refusals {

    private static final Pattern MARKER = Pattern.compile("[0-9]{1,18}");

    private final JdbcTemplate jdbc;
    private final EventStreams streams;
    private final EventLogPositions positions;

    public PostgresRefusals(JdbcTemplate jdbc, EventStreams streams, EventLogPositions positions) {
        this.jdbc = jdbc;
        this.streams = streams;
        this.positions = positions;
    }

    private record Found(long position, String stream, ProjectId project, @Nullable UserId user) {}

    @Override
    public Page<Refusal> page(ListRefusals question) {
        String marker = question.marker();
        long before =
                marker == null
                        ? Long.MAX_VALUE
                        : Page.parseMarker(marker, PostgresRefusals::parsePosition);
        // One refusal more than requested shows whether there is a next page.
        List<Found> found =
                query(
                                "SELECT position, stream_id, project_id, user_id "
                                        + refusals(question.project()),
                                question,
                                before,
                                question.limit() + 1)
                        .query((row, _) -> found(row))
                        .list();
        Page<Found> page = Page.of(found, question.limit(), last -> Long.toString(last.position()));
        Map<Long, RecordedEvent> events = events(page.items());
        return page.map(each -> refusal(each, Objects.requireNonNull(events.get(each.position()))));
    }

    private static long parsePosition(String marker) {
        if (!MARKER.matcher(marker).matches()) {
            throw new IllegalArgumentException("not a marker: " + marker);
        }
        return Long.parseLong(marker);
    }

    private static String refusals(@Nullable ProjectId project) {
        return """
        FROM event_entry
        WHERE event_type IN ('LeaseRefused', 'LeaseChangeRefused')
            AND position > :after AND position <= :through%s
        ORDER BY position DESC LIMIT :limit\
        """
                .formatted(project == null ? "" : " AND project_id = :project");
    }

    private JdbcClient.StatementSpec query(
            String sql, ListRefusals question, long before, int limit) {
        ProjectId project = question.project();
        return JdbcClient.create(jdbc)
                .sql(sql)
                .param("after", positions.at(question.from().minusNanos(1)))
                .param("through", Math.min(before - 1, positions.at(question.to().minusNanos(1))))
                .param("project", project == null ? null : project.value())
                .param("limit", limit);
    }

    private static Found found(ResultSet row) throws SQLException {
        String user = row.getString("user_id");
        return new Found(
                row.getLong("position"),
                row.getString("stream_id"),
                new ProjectId(row.getString("project_id")),
                user == null ? null : new UserId(user));
    }

    private Map<Long, RecordedEvent> events(List<Found> found) {
        Map<Long, RecordedEvent> events = new HashMap<>();
        if (!found.isEmpty()) {
            List<String> ids = found.stream().map(Found::stream).distinct().toList();
            ConnectionCallback<List<RecordedEvent>> reading =
                    connection -> streams.read(connection, ids, found.getFirst().position());
            Objects.requireNonNull(jdbc.execute(reading))
                    .forEach(event -> events.put(event.position(), event));
        }
        return events;
    }

    private static Refusal refusal(Found found, RecordedEvent event) {
        return switch (event.event()) {
            case LeaseRefused it ->
                    refusal(found, event, false, it.period(), it.reservations(), it.shortages());
            case LeaseChangeRefused it ->
                    refusal(found, event, true, it.period(), it.reservations(), it.shortages());
            default -> throw new IllegalStateException("no refusal at " + found.position());
        };
    }

    private static Refusal refusal(
            Found found,
            RecordedEvent event,
            boolean isChange,
            LeasePeriod period,
            List<ReservationWish> reservations,
            List<Shortage> shortages) {
        return new Refusal(
                found.position(),
                LeaseId.of(found.stream()),
                found.project(),
                isChange,
                found.user(),
                event.decidedAt(),
                period,
                reservations,
                shortages);
    }

    @Override
    public List<RefusalCount> count(ListRefusals question) {
        return query(
                        """
                        SELECT kind, is_unmeetable, count(DISTINCT position) AS refusals
                        FROM (SELECT position %s) refused
                            JOIN domain_event USING (position)
                            CROSS JOIN LATERAL jsonb_array_elements(payload -> 'shortages') shortage
                            CROSS JOIN LATERAL (SELECT shortage ->> 'kind',
                                (shortage ->> 'matching')::bigint < (shortage ->> 'wanted')::bigint)
                                short (kind, is_unmeetable)
                        GROUP BY kind, is_unmeetable ORDER BY kind, is_unmeetable DESC
                        """
                                .formatted(refusals(question.project())),
                        question,
                        Long.MAX_VALUE,
                        MAX_COUNTED)
                .query(
                        (row, _) ->
                                new RefusalCount(
                                        new ResourceKind(row.getString("kind")),
                                        row.getBoolean("is_unmeetable")
                                                ? Reason.NOT_ENOUGH_MATCHING
                                                : Reason.NOT_ENOUGH_FREE,
                                        row.getInt("refusals")))
                .list();
    }
}
