package org.leasehold.command.calendar.stored;

import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Calendar;
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
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Clock;
import java.time.Duration;
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
import java.util.stream.IntStream;

import javax.sql.DataSource;

/** A PostgreSQL with the module's migrations; every test begins with empty tables. */
public final class PostgresCalendarFixture extends PostgresCalendarTables {

    /** An event source that fails when a consumer opens it: this fixture has no event log. */
    static final StreamableMessageSource<TrackedEventMessage<?>> NO_JOURNAL =
            _ -> {
                throw new IllegalStateException("there is no journal here");
            };

    public final ClaimIndex index = new ClaimIndex();
    final ContentionMode contentionMode = new ContentionMode();
    private final PendingStartSearches nextStarts;

    /** The group commit of the calendar that was created last. */
    public @Nullable CalendarGroupCommit group;

    public PostgresCalendarFixture() {
        nextStarts =
                new PendingStartSearches(
                        new PostgresClaims(jdbc, Duration.ZERO),
                        CalendarMemory.alwaysBehind(index));
    }

    private PostgresCalendarFixture(JdbcTemplate jdbc, PendingStartSearches nextStarts) {
        super(jdbc);
        this.nextStarts = nextStarts;
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
                inventories,
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
    public Optional<LeaseId> leaseOf(ReservationId holder) {
        return calendar().leaseOf(holder);
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return calendar().isCurrent(tenure);
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
