package org.leasehold.query.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.TimeMarker;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Action;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Done;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Kind;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** The table of feeds, with the data of leases and bookings for them. */
final class PostgresCalendarFeeds implements CalendarFeeds {

    // Two concurrent requests would both find room for one.
    private static final String LOCK_PROJECT =
            "SELECT pg_advisory_xact_lock(hashtext('calendar_feed'), hashtext(:project))";

    private static final String UPSERT_FEED =
            """
            INSERT INTO calendar_feed (feed_id, hash, project_id, user_id, name, created_at)
            SELECT :id, :hash, :project, :user, :name, :created
            WHERE (SELECT count(*) FROM calendar_feed
                   WHERE project_id = :project AND feed_id <> :id) < :most
            ON CONFLICT (feed_id) DO UPDATE SET hash = excluded.hash
            """;

    private static final String SELECT_FEEDS =
            """
            SELECT * FROM calendar_feed
            WHERE project_id = :project AND (created_at, feed_id) > (:time, :id)
            ORDER BY created_at, feed_id LIMIT :limit
            """;

    private static final String DELETE_FEED =
            """
            DELETE FROM calendar_feed
            WHERE feed_id = :id AND project_id = :project
              AND (:user::text IS NULL OR user_id = :user)
            RETURNING *
            """;

    // The bookings of a lease that has ended, or lost resources, are what it had until then. The
    // first leases are selected before other data is read.
    private static final String SELECT_PLANNED_LEASES =
            """
            WITH chosen AS MATERIALIZED (
                SELECT booking.lease_id, min(booking.starts) AS first
                FROM booking JOIN lease USING (lease_id)
                WHERE what = 'PROMISED' AND known_to IS NULL AND booking.project_id = :project
                  AND booking.ends > :from AND booking.starts < :to
                GROUP BY booking.lease_id
                ORDER BY first, booking.lease_id LIMIT :limit)
            SELECT lease_id, status, created_at, view ->> 'name' AS name,
                coalesce(view ->> 'updatedAt', view ->> 'createdAt') AS changed_at,
                (view ->> 'version')::bigint AS version, places.starts, places.ends,
                kind, resources, named
            FROM chosen JOIN lease USING (lease_id), LATERAL (
                SELECT kind, count(DISTINCT resource_id) AS resources,
                    (array_agg(DISTINCT resource_id))[1\\:%s] AS named,
                    min(min(starts)) OVER () AS starts, max(max(ends)) OVER () AS ends
                FROM booking
                WHERE booking.lease_id = chosen.lease_id AND what = 'PROMISED'
                  AND known_to IS NULL
                GROUP BY kind) places
            ORDER BY first, lease_id, kind
            """
                    .formatted(Places.MAX_LISTED_RESOURCES);

    // By position in the index of the project's entries: events that the calendar does not have yet
    // do not count, and those that the entries do not have yet will count later.
    private static final String VERSION =
            """
            SELECT number FROM event_entry
            WHERE project_id = :project
              AND position <= (SELECT position FROM projection WHERE name = :calendar)
            ORDER BY position DESC LIMIT 1
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final SubscriptionChangeRecorder changeRecorder;
    private final IdempotentCreation idempotentCreation;

    PostgresCalendarFeeds(
            JdbcClient jdbc, TransactionTemplate transactions, SubscriptionChangeRecorder trail) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.changeRecorder = trail;
        this.idempotentCreation = new IdempotentCreation(jdbc, transactions);
    }

    @Override
    public SubscriptionOutcome open(CalendarFeed feed, String hash, CommandContext by) {
        String project = feed.project().value();
        return idempotentCreation.create(
                by,
                () -> {
                    jdbc.sql(LOCK_PROJECT).param("project", project).query((_, _) -> true).list();
                    boolean again = isOpen(feed.id());
                    boolean open =
                            jdbc.sql(UPSERT_FEED)
                                            .param("id", feed.id())
                                            .param("hash", hash)
                                            .param("project", project)
                                            .param("user", feed.user().value())
                                            .param("name", feed.name())
                                            .param("created", at(feed.createdAt()))
                                            .param("most", MAX_PER_PROJECT)
                                            .update()
                                    == 1;
                    if (open && again) {
                        recordChange(
                                feed,
                                Action.SECRET_REPLACED,
                                SubscriptionChangeRecorder.HIDDEN_SECRET,
                                SubscriptionChangeRecorder.HIDDEN_SECRET,
                                by);
                    } else if (open) {
                        recordChange(feed, Action.MADE, null, fields(feed), by);
                    }
                    return open;
                });
    }

    /** Returns whether a feed is open, and locks it until the end of the transaction. */
    private boolean isOpen(UUID id) {
        return jdbc.sql("SELECT true FROM calendar_feed WHERE feed_id = :id FOR UPDATE")
                .param("id", id)
                .query(Boolean.class)
                .optional()
                .isPresent();
    }

    private void recordChange(
            CalendarFeed feed,
            Action action,
            @Nullable Map<String, Object> before,
            @Nullable Map<String, Object> after,
            CommandContext by) {
        changeRecorder.recordChange(
                new Done(Kind.CALENDAR_FEED, feed.id(), feed.project(), action, before, after), by);
    }

    private static Map<String, Object> fields(CalendarFeed feed) {
        String user = feed.user().value();
        return feed.name() == null
                ? Map.of("user", user)
                : Map.of("user", user, "name", feed.name());
    }

    private boolean together(BooleanSupplier statements) {
        return Objects.requireNonNull(transactions.execute(_ -> statements.getAsBoolean()));
    }

    @Override
    public Page<CalendarFeed> list(ProjectId project, @Nullable String marker, int limit) {
        TimeMarker<UUID> start = TimeMarker.ofId(marker);
        List<CalendarFeed> found =
                jdbc.sql(SELECT_FEEDS)
                        .param("project", project.value())
                        .param("time", at(start.time()))
                        .param("id", start.key())
                        .param("limit", limit + 1)
                        .query((row, _) -> feed(row))
                        .list();
        return Page.of(found, limit, last -> new TimeMarker<>(last.createdAt(), last.id()).text());
    }

    @Override
    public boolean close(UUID id, ProjectId project, @Nullable UserId user, CommandContext by) {
        return together(
                () -> {
                    Optional<CalendarFeed> closed =
                            jdbc.sql(DELETE_FEED)
                                    .param("id", id)
                                    .param("project", project.value())
                                    .param("user", user == null ? null : user.value())
                                    .query((row, _) -> feed(row))
                                    .optional();
                    closed.ifPresent(
                            feed -> recordChange(feed, Action.REMOVED, fields(feed), null, by));
                    return closed.isPresent();
                });
    }

    @Override
    public Optional<CalendarFeed> find(String hash) {
        return jdbc.sql("SELECT * FROM calendar_feed WHERE hash = :hash")
                .param("hash", hash)
                .query((row, _) -> feed(row))
                .optional();
    }

    private static CalendarFeed feed(ResultSet row) throws SQLException {
        return new CalendarFeed(
                row.getObject("feed_id", UUID.class),
                new ProjectId(row.getString("project_id")),
                new UserId(row.getString("user_id")),
                row.getString("name"),
                instant(row, "created_at"));
    }

    @Override
    public long version(ProjectId project) {
        return jdbc.sql(VERSION)
                .param("project", project.value())
                .param("calendar", BookingCalendar.READ_MODEL)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    @Override
    public List<PlannedLease> planned(ProjectId project, Instant from, Instant to, int limit) {
        List<PlannedLease> rows =
                jdbc.sql(SELECT_PLANNED_LEASES)
                        .param("project", project.value())
                        .param("from", at(from))
                        .param("to", at(to))
                        .param("limit", limit)
                        .query((row, _) -> planned(row))
                        .list();
        Map<LeaseId, PlannedLease> leases = new LinkedHashMap<>();
        rows.forEach(row -> leases.merge(row.id(), row, PostgresCalendarFeeds::together));
        return List.copyOf(leases.values());
    }

    /** Returns a lease with the resources of one of its kinds. */
    private static PlannedLease planned(ResultSet row) throws SQLException {
        return new PlannedLease(
                new LeaseId(row.getObject("lease_id", UUID.class)),
                row.getString("name"),
                LeaseStatus.valueOf(row.getString("status")),
                instant(row, "starts"),
                instant(row, "ends"),
                instant(row, "created_at"),
                Instant.parse(row.getString("changed_at")),
                row.getLong("version"),
                List.of(
                        new Places(
                                new ResourceKind(row.getString("kind")),
                                row.getInt("resources"),
                                List.of((Long[]) row.getArray("named").getArray()))));
    }

    private static PlannedLease together(PlannedLease lease, PlannedLease more) {
        List<Places> places = new ArrayList<>(lease.places());
        places.addAll(more.places());
        return new PlannedLease(
                lease.id(),
                lease.name(),
                lease.status(),
                lease.starts(),
                lease.ends(),
                lease.createdAt(),
                lease.changedAt(),
                lease.version(),
                places);
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
