package org.leasehold.query.entry;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.LastEventNumbers;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Queries of entries, each with its event, and of the last of each project. */
final class PostgresEventFeed implements EventFeed, LastEventNumbers {

    /** The most entries that one query scans: a batch may be short, but never late. */
    private static final int MAX_SCANNED_ENTRIES = 20_000;

    private static final String NO_PROJECT = "-";

    /** The skip scan from each project straight to the next one, by the index. */
    private static final String EVERY_PROJECT =
            """
            SELECT min(project_id) FROM event_entry
            UNION ALL
            SELECT (SELECT min(next.project_id) FROM event_entry next
                    WHERE next.project_id > before.project_id)
            FROM project before WHERE before.project_id IS NOT NULL\
            """;

    private static final String NAMED_PROJECTS = "SELECT unnest(:projects::text[])";

    private final JdbcClient jdbc;

    PostgresEventFeed(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Batch next(Question question) {
        // It is read first: every entry up to here is stored already.
        long through = currentPosition();
        if (through <= question.after()) {
            return new Batch(List.of(), question.after());
        }
        if (!question.types().isEmpty()) {
            through = lastScannedPosition(question, through);
        }
        List<Entry> entries = entries(question, through);
        return new Batch(
                entries,
                entries.size() < question.limit() ? through : entries.getLast().position());
    }

    private long currentPosition() {
        return jdbc.sql("SELECT position FROM projection WHERE name = ?")
                .param(READ_MODEL)
                .query(Long.class)
                .single();
    }

    /** Returns the position of the last entry that is scanned. */
    private long lastScannedPosition(Question question, long through) {
        return jdbc.sql(
                        """
                        SELECT CASE count(*) WHEN :looked THEN max(position) ELSE :through END
                        FROM (SELECT position FROM event_entry
                              WHERE position > :after AND position <= :through AND %s
                              ORDER BY position LIMIT :looked) entry
                        """
                                .formatted(condition(question.audience())))
                .param("after", question.after())
                .param("through", through)
                .param("projects", projects(question.audience()))
                .param("looked", MAX_SCANNED_ENTRIES)
                .query(Long.class)
                .single();
    }

    private List<Entry> entries(Question question, long through) {
        return jdbc.sql(
                        """
                        SELECT n.position, n.event_id, n.project_id, n.number, n.stream_type,
                            n.stream_id, n.sequence, n.event_type, e.event_version, n.user_id,
                            n.request_id, n.causation, e.decided_at, n.recorded_at, e.payload
                        FROM (SELECT * FROM event_entry
                              WHERE position > :after AND position <= :through AND %s
                                AND (:all OR event_type = ANY (:types))
                              ORDER BY position LIMIT :limit) n
                            JOIN domain_event e USING (position)
                        ORDER BY n.position
                        """
                                .formatted(condition(question.audience())))
                .param("after", question.after())
                .param("through", through)
                .param("projects", projects(question.audience()))
                .param("all", question.types().isEmpty())
                .param("types", question.types().toArray(String[]::new))
                .param("limit", question.limit())
                .query((row, _) -> entry(row))
                .list();
    }

    // Entries and their position are written together: one statement sees both of one instant.
    @Override
    public Standing findVisible(Audience audience) {
        return jdbc.sql(
                        """
                        WITH RECURSIVE project (project_id) AS (%s)
                        SELECT standing.position, newest.project_id, newest.number
                        FROM projection standing LEFT JOIN (
                            SELECT project_id, last.number
                            FROM project CROSS JOIN LATERAL (
                                SELECT number FROM event_entry entry
                                WHERE entry.project_id = project.project_id
                                ORDER BY number DESC LIMIT 1) last
                            WHERE %s) newest ON true
                        WHERE standing.name = :name
                        """
                                .formatted(
                                        audience.projects() == null
                                                ? EVERY_PROJECT
                                                : NAMED_PROJECTS,
                                        condition(audience)))
                .param("name", READ_MODEL)
                .param("projects", projects(audience))
                .query(PostgresEventFeed::readStanding);
    }

    private static Standing readStanding(ResultSet row) throws SQLException {
        List<LastNumber> projects = new ArrayList<>();
        // There is a row with the position even without any number.
        row.next();
        long position = row.getLong("position");
        do {
            String project = row.getString("project_id");
            if (project != null) {
                projects.add(new LastNumber(project, row.getLong("number")));
            }
        } while (row.next());
        return new Standing(position, projects);
    }

    /** Returns the condition: an index orders the entries of one project, not of several. */
    private static String condition(Audience audience) {
        if (audience.projects() != null) {
            return projects(audience).length == 1
                    ? "project_id = (:projects::text[])[1]"
                    : "project_id = ANY (:projects)";
        }
        return audience.inventory() ? "true" : "project_id <> '-'";
    }

    private static String[] projects(Audience audience) {
        @Nullable Set<ProjectId> projects = audience.projects();
        Stream<String> named =
                projects == null
                        ? Stream.empty()
                        : projects.stream()
                                .map(ProjectId::value)
                                .filter(project -> !project.equals(NO_PROJECT));
        return Stream.concat(named, audience.inventory() ? Stream.of(NO_PROJECT) : Stream.empty())
                .toArray(String[]::new);
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                row.getLong("position"),
                row.getObject("event_id", UUID.class),
                row.getString("project_id"),
                row.getLong("number"),
                row.getString("stream_type"),
                row.getString("stream_id"),
                row.getLong("sequence"),
                row.getString("event_type"),
                row.getInt("event_version"),
                row.getString("user_id"),
                row.getString("request_id"),
                row.getString("causation"),
                instant(row, "decided_at"),
                instant(row, "recorded_at"),
                row.getString("payload"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
