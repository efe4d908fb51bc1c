package org.leasehold.command.calendar.stored;

import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.refusal.RefusalConfirmation;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.testdatabase.TestDatabase;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

/** A PostgreSQL with the module's migrations; every test begins with empty tables. */
public final class PostgresCalendarFixture implements CalendarFixture {

    /** An event source that fails when a consumer opens it: this fixture has no event log. */
    static final StreamableMessageSource<TrackedEventMessage<?>> NO_JOURNAL =
            _ -> {
                throw new IllegalStateException("there is no journal here");
            };

    // Classes run at the same time, each on a thread. The databases end with the JVM.
    private static final ThreadLocal<DataSource> MIGRATED =
            ThreadLocal.withInitial(PostgresCalendarFixture::migrated);

    public final JdbcTemplate jdbc;
    public final TransactionTemplate transactions;
    public final ClaimIndex index = new ClaimIndex();
    final ContentionMode contentionMode = new ContentionMode();
    private final PendingStartSearches nextStarts;

    /** The group commit of the calendar that was created last. */
    public @Nullable CalendarGroupCommit group;

    public PostgresCalendarFixture() {
        this(new JdbcTemplate(MIGRATED.get()), null);
        jdbc.execute("TRUNCATE resource, claim, holder, domain_event RESTART IDENTITY");
    }

    private PostgresCalendarFixture(JdbcTemplate jdbc, @Nullable PendingStartSearches given) {
        this.jdbc = jdbc;
        transactions = new TransactionTemplate(new JdbcTransactionManager(jdbc.getDataSource()));
        nextStarts =
                given != null
                        ? given
                        : new PendingStartSearches(
                                new PostgresClaims(jdbc, Duration.ZERO),
                                CalendarMemory.alwaysBehind(index));
    }

    /** Runs commands as one group of the calendar that was created last. */
    public void together(Runnable commands) {
        CalendarGroupCommit gathering = Objects.requireNonNull(group);
        transactions.executeWithoutResult(
                _ -> {
                    gathering.begin();
                    commands.run();
                    gathering.executePending();
                });
    }

    @SuppressWarnings("resource")
    private static DataSource migrated() {
        TestDatabase database = TestDatabase.migrated("calendar", PostgresCalendarFixture::migrate);
        // This wrapper prevents that a context with this bean closes the database for all others.
        return new DelegatingDataSource(database.dataSource());
    }

    private static void migrate(DataSource empty) {
        Flyway.configure().dataSource(empty).locations("classpath:db/migration").load().migrate();
    }

    public StoredCalendar calendar() {
        return calendar(Duration.ZERO);
    }

    @Override
    public StoredCalendar calendar(Duration cleaning) {
        CalendarConfiguration configuration = new CalendarConfiguration();
        DataSource dataSource = jdbc.getDataSource();
        return calendar(configuration.claims(dataSource, new CalendarSettings(cleaning)));
    }

    private StoredCalendar calendar(Claims claims) {
        return calendar(claims, nextStarts);
    }

    public StoredCalendar calendar(Claims claims, PendingStartSearches searches) {
        return calendar(
                claims,
                new RefusalConfirmation(
                        claims,
                        CalendarMemory.alwaysBehind(index),
                        searches,
                        RefusalConfirmation.MAX_EXPLAINED_CLAIMS));
    }

    public StoredCalendar calendar(Claims claims, RefusalConfirmation refusalConfirmation) {
        CalendarConfiguration configuration = new CalendarConfiguration();
        DataSource dataSource = jdbc.getDataSource();
        Holders holders = configuration.holders(dataSource);
        group = configuration.calendarGroup(claims, holders, index, contentionMode);
        InventoryCache inventories = configuration.inventories(dataSource);
        return configuration.calendar(
                dataSource,
                claims,
                holders,
                configuration.holdHandler(
                        inventories, claims, holders, group, contentionMode, refusalConfirmation),
                configuration.handOverHandler(
                        inventories, claims, holders, index, group, contentionMode),
                configuration.adoptHandler(inventories, claims, holders),
                group);
    }

    /**
     * Returns a calendar that runs one of these actions after each of its snapshots of the tables.
     */
    StoredCalendar overtaken(Deque<Runnable> meanwhile) {
        Claims claims =
                new CalendarConfiguration()
                        .claims(jdbc.getDataSource(), new CalendarSettings(Duration.ZERO));
        return new PostgresCalendarFixture(jdbc, nextStarts)
                .calendar(
                        ObservedClaims.of(
                                claims,
                                (method, _, _) -> {
                                    if (method.equals("readSnapshot") && !meanwhile.isEmpty()) {
                                        meanwhile.remove().run();
                                    }
                                }));
    }

    /** Returns a calendar with its own memory, on the same tables. */
    StoredCalendar anotherNode() {
        return new PostgresCalendarFixture(jdbc, nextStarts).calendar();
    }

    public Availability availability(Duration cleaning) {
        CalendarConfiguration configuration = new CalendarConfiguration();
        DataSource dataSource = jdbc.getDataSource();
        Claims claims = configuration.claims(dataSource, new CalendarSettings(cleaning));
        return configuration.availability(
                configuration.inventories(dataSource),
                claims,
                index,
                configuration.claimFeed(
                        NO_JOURNAL,
                        claims,
                        configuration.holders(dataSource),
                        index,
                        Clock.systemUTC()));
    }

    /** Enrols the identical hosts 1 to {@code count}. */
    @Override
    public PostgresCalendarFixture withHosts(int count) {
        IntStream.rangeClosed(1, count).forEach(id -> enrol(id, Map.of()));
        return this;
    }

    @Override
    public void enrol(long id, Map<String, String> capabilities) {
        jdbc.update(
                """
                INSERT INTO resource (resource_id, kind, name, state, attributes, capabilities,
                                      created_at)
                VALUES (?, 'physical:host', ?, 'ENROLLED',
                        '{"vcpus": 64, "memory_mb": 65536}', ?::jsonb, now())
                """,
                id,
                "host-" + id,
                json(capabilities));
    }

    private static String json(Map<String, String> capabilities) {
        return capabilities.entrySet().stream()
                .map(e -> "\"%s\":\"%s\"".formatted(e.getKey(), e.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Disables a host as the inventory does: it takes the lock first. */
    @Override
    public void disable(long id, String reason) {
        transactions.executeWithoutResult(
                _ -> {
                    jdbc.queryForList("SELECT FROM resource WHERE resource_id = ? FOR UPDATE", id);
                    jdbc.update(
                            """
                            UPDATE resource SET state = 'DISABLED', disabled_reason = ?
                            WHERE resource_id = ?
                            """,
                            reason,
                            id);
                });
    }

    /** Runs a command in a transaction, and retries it as the event store does. */
    @Override
    public <T> T command(Supplier<T> body) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transactions.execute(_ -> body.get());
            } catch (CalendarContention | PessimisticLockingFailureException conflict) {
                if (attempt == 100) {
                    throw conflict;
                }
            }
        }
    }

    @Override
    public Grant settle(Calendar calendar, CalendarRequest<?> request) {
        return CalendarFixture.answer(decide(calendar, request), nextStarts);
    }

    /** Settles a request, and leaves out the search for the next starts. */
    public Grant decide(Calendar calendar, CalendarRequest<?> request) {
        return command(() -> calendar.executeAndDecide(request, grant -> grant, _ -> true));
    }

    /** Loads the inventory of a calendar, by its first hold, and marks its memory as complete. */
    void loadMemory(Calendar calendar) {
        decide(calendar, lease(hours(90, 91), hosts(1, 1)).hold());
        index.markComplete();
    }

    @Override
    public List<Claim> claims(ReservationId reservation) {
        return claims("WHERE reservation_id = '" + reservation + "'");
    }

    @Override
    public void relabel(long id, Map<String, String> capabilities) {
        jdbc.update(
                "UPDATE resource SET capabilities = ?::jsonb WHERE resource_id = ?",
                json(capabilities),
                id);
    }

    @Override
    public void describe(long id, Map<String, ?> attributes) {
        jdbc.update(
                "UPDATE resource SET attributes = ?::jsonb WHERE resource_id = ?",
                new JsonMapper().writeValueAsString(attributes),
                id);
    }

    @Override
    public void enable(long id) {
        jdbc.update(
                "UPDATE resource SET state = 'ENROLLED', disabled_reason = NULL"
                        + " WHERE resource_id = ?",
                id);
    }

    @Override
    public void happen() {
        jdbc.update(
                """
                INSERT INTO domain_event (event_id, stream_type, stream_id, sequence, event_type,
                                          event_version, payload, metadata, decided_at)
                SELECT gen_random_uuid(), 'Lease', 'x', count(*), 'X', 1, '{}', '{}', now()
                FROM domain_event
                """);
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId holder) {
        return calendar().leaseOf(holder);
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return calendar().isCurrent(tenure);
    }

    @Override
    public List<Long> holders() {
        return jdbc.queryForList("SELECT resource_id FROM holder ORDER BY 1", Long.class);
    }

    @Override
    public List<String> reliesOn(ReservationId reservation) {
        return jdbc.queryForList(
                "SELECT DISTINCT unnest(relies_on) FROM claim WHERE reservation_id = ? ORDER BY 1",
                String.class,
                reservation.value());
    }

    public List<Claim> claims(String where) {
        return jdbc.query(
                "SELECT resource_id, lower(during), upper(during), share::text FROM claim "
                        + where
                        + " ORDER BY resource_id, during",
                (row, _) ->
                        new Claim(
                                new ResourceId(row.getLong(1)),
                                new LeasePeriod(instant(row, 2), instant(row, 3)),
                                share(row.getString(4))));
    }

    private static @Nullable Share share(@Nullable String json) {
        return json == null ? null : new JsonMapper().readValue(json, Share.class);
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getTimestamp(column).toInstant();
    }

    /** Returns the number of pairs of claims on one whole resource that overlap; it must be 0. */
    public int overlaps() {
        return jdbc.queryForObject(
                """
                SELECT count(*) FROM claim a JOIN claim b
                    ON a.resource_id = b.resource_id AND a.during && b.during
                       AND a.reservation_id < b.reservation_id AND a.occupancy <> b.occupancy
                """,
                Integer.class);
    }

    /**
     * Returns the resources with claims that the constraint no longer covers: see decision record
     * 27.
     */
    List<Long> overlooked() {
        return transactions.execute(
                _ -> {
                    jdbc.execute("SET LOCAL enable_seqscan = off");
                    jdbc.execute("SET LOCAL enable_bitmapscan = off");
                    return jdbc.queryForList(
                            """
                            SELECT resource_id FROM resource r
                            WHERE (SELECT count(*) FROM claim
                                   WHERE resource_id = r.resource_id AND during && '(,)'
                                     AND within = '00000000-0000-0000-0000-000000000000')
                               <> (SELECT count(*) FROM claim
                                   WHERE resource_id + 0 = r.resource_id)
                            """,
                            Long.class);
                });
    }

    /** Runs all of them at the same time, each on its own thread. */
    static <T> List<T> race(List<Callable<T>> racers) throws InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(racers.size())) {
            return threads.invokeAll(racers).stream().map(PostgresCalendarFixture::result).toList();
        }
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException | InterruptedException failure) {
            throw new AssertionError("a racer failed", failure);
        }
    }
}
