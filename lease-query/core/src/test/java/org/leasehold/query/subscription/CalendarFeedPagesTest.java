package org.leasehold.query.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.by;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.calendar.CalendarFeeds.CalendarFeed;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Tests the pages of the list of feeds. */
class CalendarFeedPagesTest {

    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
    private static final ProjectId ASTRONOMY = new ProjectId("astronomy");
    private static final ProjectId BIOLOGY = new ProjectId("biology");
    private static final UserId ADA = new UserId("ada");

    private static EventDatabase database;

    private final CalendarFeeds feeds =
            new PostgresCalendarFeeds(
                    database.client(),
                    new TransactionTemplate(database.transactionManager()),
                    new SubscriptionChangeRecorder(database.client()));

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
        database.jdbc().execute("TRUNCATE calendar_feed, idempotency");
    }

    private CalendarFeed open(int number, ProjectId project, Instant at) {
        CalendarFeed feed = new CalendarFeed(new UUID(3, number), project, ADA, null, at);
        feeds.open(feed, "hash " + number, by("req-1"));
        return feed;
    }

    @Test
    void feeds_are_listed_page_by_page_oldest_first() {
        CalendarFeed third = open(3, ASTRONOMY, NOON.plusSeconds(1));
        CalendarFeed fourth = open(4, ASTRONOMY, NOON.plusSeconds(1));
        CalendarFeed second = open(2, ASTRONOMY, NOON.plusNanos(1_000));
        CalendarFeed first = open(5, ASTRONOMY, NOON);
        open(1, BIOLOGY, NOON);

        List<CalendarFeed> listed = new ArrayList<>();
        String marker = null;
        do {
            Page<CalendarFeed> page = feeds.list(ASTRONOMY, marker, 1);
            assertThat(page.items()).hasSize(1);
            listed.addAll(page.items());
            marker = page.next();
        } while (marker != null);

        assertThat(listed).containsExactly(first, second, third, fourth);
        assertThat(feeds.list(ASTRONOMY, null, 4)).isEqualTo(new Page<>(listed, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "%", "MQ", "MSAy", "MjAyNi0xMS0yMlQxMjowMDowMFogMQ"})
    void an_unknown_marker_of_feeds_is_rejected(String marker) {
        assertThatThrownBy(() -> feeds.list(ASTRONOMY, marker, 1))
                .isInstanceOf(UnknownMarker.class);
    }
}
