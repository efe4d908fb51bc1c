package org.leasehold.query.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.by;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.underKey;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.KEY_REUSED;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.MADE;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.calendar.CalendarFeeds.CalendarFeed;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.dao.DataAccessException;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Tests the feeds of projects, their secrets and their recorded changes. */
class PostgresCalendarFeedsTest extends CalendarFeedsFixture {

    private static final UserId ADA = new UserId("ada");
    private static final UserId BOB = new UserId("bob");

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
}
