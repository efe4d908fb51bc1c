package org.leasehold.gateway.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The streams of events, and their limits. */
@ApiTest
class EventStreamsTest extends ApiEventsFixture {

    @Test
    void a_stream_sends_new_events_and_resumes_after_the_last_event_id() throws Exception {
        try (Listener stream = open("member", "")) {
            assertThat(stream.events(2))
                    .extracting(StreamedEvent::position)
                    .containsExactly("1", "4");
            feed.happened("p2", "LeaseEnded", "{}");
            feed.happened("p1", "LeaseDeleted", "{}");
            assertThat(stream.events(1)).extracting(StreamedEvent::position).containsExactly("6");
        }
        feed.happened("p1", "LeaseRequested", "{}");
        try (Listener stream = open("member", "", "Last-Event-ID", "4")) {
            assertThat(stream.events(2))
                    .extracting(StreamedEvent::position)
                    .containsExactly("6", "7");
        }
    }

    @Test
    void a_stream_sends_the_same_events_as_a_page() throws Exception {
        JsonNode first = client.get("auditor", FEED).json().path("events").path(0);

        try (Listener stream = open("auditor", "?types=ReservationGranted")) {
            assertThat(stream.events(1).getFirst().event()).isEqualTo(first);
        }
    }

    @Test
    void a_stream_beyond_the_limit_of_a_user_ends_the_oldest_stream() throws Exception {
        List<Listener> streams = new ArrayList<>();
        try {
            for (int i = 0; i <= EventWaiters.MAX_WAITERS_PER_USER; i++) {
                streams.add(open("biller", "?after=4"));
            }
            assertThat(streams.getFirst().isOver()).isTrue();

            feed.happened("p1", "LeaseDeleted", "{}");

            for (Listener stream : streams.subList(1, streams.size())) {
                assertThat(stream.events(1))
                        .extracting(StreamedEvent::position)
                        .containsExactly("5");
            }
        } finally {
            for (Listener stream : streams) {
                stream.close();
            }
        }
    }

    @Test
    void a_user_with_too_many_unclosed_streams_gets_429() {
        EventWaiters waiters = new EventWaiters(feed, feed);
        waiters.start();
        CountDownLatch enough = new CountDownLatch(1);
        UserId user = new UserId("greedy");
        for (int i = 0; i < 2 * EventWaiters.MAX_WAITERS_PER_USER; i++) {
            waiters.startWaiter(user, _ -> await(enough));
        }

        assertThatThrownBy(() -> waiters.startWaiter(user, _ -> {}))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().status()).isEqualTo(429));
        waiters.startWaiter(new UserId("another"), _ -> {});

        enough.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_node_limits_the_number_of_streams() throws Exception {
        EventWaiters streams = new EventWaiters(feed, feed);
        streams.start();
        CountDownLatch enough = new CountDownLatch(1);
        for (int i = 0; i < EventWaiters.MAX_WAITERS; i++) {
            streams.startWaiter(new UserId("user-" + i), _ -> await(enough));
        }
        UserId late = new UserId("late");
        assertThatThrownBy(() -> streams.startWaiter(late, _ -> {}))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().status()).isEqualTo(429));

        enough.countDown();

        CountDownLatch done = new CountDownLatch(1);
        for (int i = 0; i < 1000 && done.getCount() > 0; i++) {
            try {
                streams.startWaiter(late, _ -> done.countDown());
            } catch (ProblemException full) {
                Thread.sleep(10);
            }
        }
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json, text/event-stream;q=0.1 | application/json",
                "text/event-stream;q=0.1, application/json;q=0.2 | application/json",
                "text/event-stream;q=0, */* | application/json",
                "application/json;q=0.1, text/event-stream | text/event-stream",
                "text/event-stream, */*;q=0.5 | text/event-stream",
                "*/* | application/json",
            })
    void the_accept_header_selects_json_or_an_event_stream(String accept, String type) {
        assertThat(client.begin("member", FEED, accept).headers().firstValue("Content-Type"))
                .hasValueSatisfying(said -> assertThat(said).startsWith(type));
    }
}
