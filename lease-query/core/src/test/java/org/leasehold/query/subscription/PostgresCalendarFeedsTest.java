package org.leasehold.query.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.by;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.underKey;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.KEY_REUSED;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.MADE;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.calendar.CalendarFeeds.CalendarFeed;
import org.leasehold.readmodel.calendar.CalendarFeeds.Places;
import org.leasehold.readmodel.calendar.CalendarFeeds.PlannedLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

class PostgresCalendarFeedsTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final ProjectId ASTRONOMY = new ProjectId("astronomy");
    private static final ProjectId BIOLOGY = new ProjectId("biology");
    private static final UserId ADA = new UserId("ada");
    private static final UserId BOB = new UserId("bob");

    private static EventDatabase database;

    private final CalendarFeeds feeds =
            new PostgresCalendarFeeds(
                    database.client(),
                    new TransactionTemplate(database.transactionManager()),
                    new SubscriptionChangeRecorder(database.client()));
    private final RecordedSubscriptionChanges noted = new RecordedSubscriptionChanges(database);

    @BeforeAll
    static void open() {
        database = new EventDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbc().execute("TRUNCATE calendar_feed, booking, lease, event_entry, idempotency");
        noted.forget();
    }

    private static CalendarFeed feed(int number, ProjectId project) {
        return new CalendarFeed(
                new UUID(3, number), project, ADA, "feed " + number, NOON.plusSeconds(number));
    }

    private boolean open(int number, ProjectId project) {
        return feeds.open(feed(number, project), "hash " + number, by("req-1")) == MADE;
    }

    private List<CalendarFeed> list(ProjectId project) {
        return feeds.list(project, null, 100).items();
    }

    @Test
    void a_feed_that_is_opened_again_gets_a_new_secret() {
        open(1, ASTRONOMY);

        assertThat(feeds.open(feed(1, ASTRONOMY), "hash 2", by("req-1"))).isEqualTo(MADE);

        assertThat(feeds.find("hash 1")).isEmpty();
        assertThat(feeds.find("hash 2")).contains(feed(1, ASTRONOMY));
        assertThat(list(ASTRONOMY)).hasSize(1);
    }

    @Test
    void a_feed_is_found_by_hash_until_it_is_closed() {
        assertThat(open(1, ASTRONOMY)).isTrue();
        assertThat(open(2, ASTRONOMY)).isTrue();

        assertThat(feeds.find("hash 1")).contains(feed(1, ASTRONOMY));
        assertThat(feeds.find("hash 3")).isEmpty();
        assertThat(list(ASTRONOMY)).containsExactly(feed(1, ASTRONOMY), feed(2, ASTRONOMY));
        assertThat(feeds.close(feed(1, ASTRONOMY).id(), ASTRONOMY, null, by("req-2"))).isTrue();
        assertThat(feeds.find("hash 1")).isEmpty();
        assertThat(feeds.close(feed(1, ASTRONOMY).id(), ASTRONOMY, null, by("req-2"))).isFalse();
        assertThat(list(ASTRONOMY)).containsExactly(feed(2, ASTRONOMY));
    }

    @Test
    void another_project_or_user_cannot_close_a_feed() {
        open(1, ASTRONOMY);
        UUID id = feed(1, ASTRONOMY).id();

        assertThat(feeds.close(id, BIOLOGY, null, by("req-2"))).isFalse();
        assertThat(feeds.close(id, ASTRONOMY, BOB, by("req-2"))).isFalse();
        assertThat(feeds.find("hash 1")).isPresent();
        assertThat(feeds.close(id, ASTRONOMY, ADA, by("req-2"))).isTrue();
    }

    @Test
    void the_limit_of_feeds_per_project_holds_under_concurrency() throws Exception {
        List<Callable<Boolean>> all =
                IntStream.range(0, 30)
                        .<Callable<Boolean>>mapToObj(i -> () -> open(i, ASTRONOMY))
                        .toList();
        List<Boolean> opened = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> one : threads.invokeAll(all)) {
                opened.add(one.get());
            }
        }

        assertThat(opened.stream().filter(is -> is)).hasSize(CalendarFeeds.MAX_PER_PROJECT);
        assertThat(list(ASTRONOMY)).hasSize(CalendarFeeds.MAX_PER_PROJECT);
        assertThat(feeds.open(list(ASTRONOMY).getFirst(), "another hash", by("req-1")))
                .isEqualTo(MADE);
        assertThat(list(ASTRONOMY)).hasSize(CalendarFeeds.MAX_PER_PROJECT);
        assertThat(open(100, BIOLOGY)).isTrue();
        feeds.close(list(ASTRONOMY).getFirst().id(), ASTRONOMY, null, by("req-2"));
        assertThat(open(101, ASTRONOMY)).isTrue();
    }

    @Test
    void every_change_of_a_feed_is_recorded_without_the_secret() {
        feeds.open(feed(1, ASTRONOMY), "hash 1", by("req-1"));
        feeds.open(feed(1, ASTRONOMY), "hash 2", by("req-2"));
        feeds.open(
                new CalendarFeed(new UUID(3, 2), BIOLOGY, BOB, null, NOON), "hash 3", by("req-3"));
        feeds.close(feed(1, ASTRONOMY).id(), ASTRONOMY, null, by("req-4", "she left"));

        assertThat(noted.lines())
                .containsExactly(
                        "req-1 astronomy MADE - -> {\"name\": \"feed 1\", \"user\": \"ada\"}",
                        "req-2 astronomy SECRET_REPLACED {\"secret\": \"…\"} -> {\"secret\":"
                                + " \"…\"}",
                        "req-3 biology MADE - -> {\"user\": \"bob\"}",
                        "req-4 astronomy REMOVED {\"name\": \"feed 1\", \"user\": \"ada\"} -> -");
        assertThat(noted.origins())
                .hasSize(4)
                .allMatch(origin -> origin.endsWith(" root 192.0.2.7 curl/8"));
        assertThat(noted.everything()).contains("she left").doesNotContain("hash");
    }

    @Test
    void a_rejected_or_ineffective_request_is_not_recorded() {
        for (int i = 0; i < CalendarFeeds.MAX_PER_PROJECT; i++) {
            open(i, ASTRONOMY);
        }
        CalendarFeed first = list(ASTRONOMY).getFirst();
        feeds.open(first, "hash 0", underKey("req-1", "k", "hash"));
        noted.forget();

        assertThat(open(100, ASTRONOMY)).isFalse();
        assertThat(feeds.open(first, "hash 200", underKey("req-2", "k", "other")))
                .isEqualTo(KEY_REUSED);
        assertThat(feeds.find("hash 0")).isPresent();
        assertThat(feeds.close(feed(1, ASTRONOMY).id(), BIOLOGY, null, by("req-1"))).isFalse();
        assertThat(feeds.close(feed(1, ASTRONOMY).id(), ASTRONOMY, BOB, by("req-2"))).isFalse();

        assertThat(noted.lines()).isEmpty();
        assertThat(noted.origins()).isEmpty();
    }

    @Test
    void a_change_that_cannot_be_recorded_is_rolled_back() {
        CommandContext unwritable = by("req-2", RecordedSubscriptionChanges.UNWRITABLE);
        open(1, ASTRONOMY);

        assertThatThrownBy(() -> feeds.open(feed(2, ASTRONOMY), "hash 2", unwritable))
                .isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> feeds.close(feed(1, ASTRONOMY).id(), ASTRONOMY, null, unwritable))
                .isInstanceOf(DataAccessException.class);

        assertThat(list(ASTRONOMY)).containsExactly(feed(1, ASTRONOMY));
    }

    private static LeaseId lease(int number) {
        return new LeaseId(new UUID(1, number));
    }

    private static Instant hour(int hour) {
        return NOON.plus(Duration.ofHours(hour));
    }

    private static void lease(int number, ProjectId project) {
        database.jdbc()
                .update(
                        """
                        INSERT INTO lease (lease_id, project_id, status, created_at, view,
                            name, user_id, starts, ends, kinds, unfinished)
                        VALUES (?, ?, 'ACTIVE', ?, ?::json, ?, 'ada', ?, ?, '{}', true)
                        """,
                        lease(number).value(),
                        project.value(),
                        Timestamp.from(NOON),
                        """
                        {"name": "lease %s", "createdAt": "%s", "updatedAt": "%s", "version": %s}
                        """
                                .formatted(number, NOON, hour(1), 10 + number),
                        "lease " + number,
                        Timestamp.from(NOON),
                        Timestamp.from(hour(1)));
    }

    private static void booking(int lease, ProjectId project, long resource, int from, int to) {
        booking(lease, project, resource, from, to, "physical:host", null);
    }

    private static void booking(
            int lease,
            ProjectId project,
            long resource,
            int from,
            int to,
            String kind,
            Long knownTo) {
        database.jdbc()
                .update(
                        "INSERT INTO booking VALUES (?, ?, ?, ?, ?, 'PROMISED', 1, NULL, ?, ?, 1,"
                                + " ?)",
                        lease(lease).value(),
                        new UUID(2, lease),
                        project.value(),
                        resource,
                        kind,
                        Timestamp.from(hour(from)),
                        Timestamp.from(hour(to)),
                        knownTo);
    }

    private List<PlannedLease> planned(int from, int to) {
        return feeds.planned(ASTRONOMY, hour(from), hour(to), 10);
    }

    @Test
    void a_planned_lease_spans_from_the_first_to_the_last_booking() {
        lease(1, ASTRONOMY);
        // A host that was replaced before the window, and a network.
        booking(1, ASTRONOMY, 7, 0, 2);
        booking(1, ASTRONOMY, 8, 2, 9);
        booking(1, ASTRONOMY, 5, 1, 4, "virtual:network", null);

        assertThat(planned(5, 10))
                .containsExactly(
                        new PlannedLease(
                                lease(1),
                                "lease 1",
                                LeaseStatus.ACTIVE,
                                hour(0),
                                hour(9),
                                NOON,
                                hour(1),
                                11,
                                List.of(
                                        new Places(ResourceKind.PHYSICAL_HOST, 2, List.of(7L, 8L)),
                                        new Places(
                                                new ResourceKind("virtual:network"),
                                                1,
                                                List.of(5L)))));
    }

    @Test
    void a_plan_contains_only_current_bookings_of_the_project_in_the_window() {
        lease(1, BIOLOGY);
        booking(1, BIOLOGY, 1, 0, 2);
        booking(2, ASTRONOMY, 1, 0, 2);
        lease(3, ASTRONOMY);
        booking(3, ASTRONOMY, 1, 0, 2, "physical:host", 5L);
        lease(4, ASTRONOMY);
        booking(4, ASTRONOMY, 1, -2, 0);
        lease(5, ASTRONOMY);
        booking(5, ASTRONOMY, 1, 4, 5);

        assertThat(planned(0, 4)).isEmpty();
        assertThat(planned(-1, 5)).extracting(PlannedLease::id).containsExactly(lease(4), lease(5));
    }

    @Test
    void a_plan_is_limited_to_the_first_leases_and_the_first_resources() {
        for (int i = 1; i <= 3; i++) {
            lease(i, ASTRONOMY);
            for (int host = 1; host <= 25; host++) {
                booking(i, ASTRONOMY, host, 10 - i, 11);
            }
        }

        List<PlannedLease> first = feeds.planned(ASTRONOMY, hour(0), hour(20), 2);
        assertThat(first).extracting(PlannedLease::id).containsExactly(lease(3), lease(2));
        Places hosts = first.getFirst().places().getFirst();
        assertThat(hosts.count()).isEqualTo(25);
        assertThat(hosts.resources())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, Places.MAX_LISTED_RESOURCES)
                                .mapToObj(Long::valueOf)
                                .toList());
    }

    @Test
    void a_feed_version_counts_the_projected_events_of_the_project() {
        for (int i = 1; i <= 4; i++) {
            database.jdbc()
                    .update(
                            "INSERT INTO event_entry VALUES (?, gen_random_uuid(), ?, ?, 'Lease',"
                                    + " '1', ?, 'LeaseRenamed', NULL, NULL, NULL, now())",
                            i,
                            i == 3 ? "biology" : "astronomy",
                            i == 3 ? 1 : Math.min(i, 3),
                            i);
        }

        assertThat(version(0)).isZero();
        assertThat(version(2)).isEqualTo(2);
        assertThat(version(3)).isEqualTo(2);
        assertThat(version(4)).isEqualTo(3);
    }

    private long version(long calendar) {
        database.jdbc()
                .update("UPDATE projection SET position = ? WHERE name = 'bookings'", calendar);
        return feeds.version(ASTRONOMY);
    }
}
