package org.leasehold.query.entry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.EventFeed.Question;
import org.leasehold.readmodel.event.LastEventNumbers.LastNumber;
import org.leasehold.readmodel.event.LastEventNumbers.Standing;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class PostgresEventFeedTest {

    private static final Audience ALL = new Audience(null, true);
    private static final Audience LEASES = new Audience(null, false);
    private static final Audience INVENTORY = new Audience(Set.of(), true);
    private static final Audience ASTRONOMY =
            new Audience(Set.of(new ProjectId("astronomy")), false);

    private static EventDatabase database;

    private final PostgresEventFeed feed = new PostgresEventFeed(database.client());

    @BeforeAll
    static void start() {
        database = new EventDatabase();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    /** Appends positions 1 to 8. */
    @BeforeEach
    void live() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE domain_event RESTART IDENTITY;
                        TRUNCATE event_entry, event_resource;
                        UPDATE projection SET position = 0;
                        """);
        requested("a", "astronomy");
        requested("b", "biology");
        happened("Resource", "7", "ResourceEnabled", "{\"resourceId\": 7}");
        happened("Lease", "a", "LeaseStarting", "{}");
        happened("Lease", "b", "LeaseStarting", "{}");
        happened("Lease", "a", "LeaseActivated", "{}");
        happened("Lease", "a", "LeaseEnding", "{}");
        happened("Resource", "7", "ResourceRetired", "{\"resourceId\": 7}");
        database.follow(new EntryProjection(database.jdbc()));
    }

    @Test
    void an_audience_receives_only_permitted_events() {
        assertThat(positions(next(0, ALL, 100))).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(positions(next(0, LEASES, 100))).containsExactly(1L, 2L, 4L, 5L, 6L, 7L);
        assertThat(positions(next(0, INVENTORY, 100))).containsExactly(3L, 8L);
        assertThat(positions(next(0, ASTRONOMY, 100))).containsExactly(1L, 4L, 6L, 7L);
        Audience both = new Audience(Set.of(new ProjectId("biology")), true);
        assertThat(positions(next(0, both, 100))).containsExactly(2L, 3L, 5L, 8L);
        assertThat(positions(next(0, new Audience(Set.of(), false), 100))).isEmpty();
    }

    @Test
    void consecutive_batches_contain_each_event_once() {
        List<Long> read = new ArrayList<>();
        long after = 0;
        while (after < 8) {
            Batch batch = next(after, ASTRONOMY, 2);
            read.addAll(positions(batch));
            assertThat(batch.through()).isGreaterThan(after);
            after = batch.through();
        }

        assertThat(read).containsExactly(1L, 4L, 6L, 7L);
        assertThat(next(8, ASTRONOMY, 2)).isEqualTo(new Batch(List.of(), 8));
        assertThat(next(99, ASTRONOMY, 2)).isEqualTo(new Batch(List.of(), 99));
    }

    @Test
    void a_query_by_types_returns_only_events_of_these_types() {
        Set<String> types = Set.of("LeaseStarting", "ResourceRetired");

        Batch batch = feed.next(new Question(0, ALL, types, 100));

        assertThat(positions(batch)).containsExactly(4L, 5L, 8L);
        assertThat(batch.through()).isEqualTo(8);
        assertThat(feed.next(new Question(0, ALL, Set.of("LeaseDeleted"), 100)))
                .isEqualTo(new Batch(List.of(), 8));
    }

    /** A rare type in a long history is searched in bounded ranges. */
    @Test
    void a_batch_for_a_rare_type_ends_at_the_searched_position() {
        database.jdbc()
                .update(
                        """
                        INSERT INTO event_entry
                        SELECT n, gen_random_uuid(), 'astronomy', n, 'Lease', 'a', n, 'LeaseRenamed',
                            null, null, null, now()
                        FROM generate_series(100, 20300) n
                        """);
        database.jdbc().update("UPDATE projection SET position = 20300");
        Question rare = new Question(0, ASTRONOMY, Set.of("LeaseEnding", "LeaseEnded"), 100);

        Batch first = feed.next(rare);
        Batch second = feed.next(rare.from(first.through()));

        assertThat(positions(first)).containsExactly(7L);
        assertThat(first.through()).isEqualTo(20_095);
        assertThat(second).isEqualTo(new Batch(List.of(), 20_300));
    }

    @Test
    void a_batch_ends_at_the_offset_of_the_projection() {
        requested("c", "astronomy");

        assertThat(next(0, ALL, 100).through()).isEqualTo(8);
    }

    @Test
    void an_entry_contains_the_data_and_the_metadata_of_the_event() {
        Entry entry = next(0, LEASES, 1).entries().getFirst();

        assertThat(entry.project()).isEqualTo("astronomy");
        assertThat(entry.number()).isEqualTo(1);
        assertThat(entry.streamType()).isEqualTo("Lease");
        assertThat(entry.stream()).isEqualTo("a");
        assertThat(entry.sequence()).isZero();
        assertThat(entry.type()).isEqualTo("LeaseRequested");
        assertThat(entry.version()).isEqualTo(1);
        assertThat(entry.user()).isEqualTo("ada");
        assertThat(entry.requestId()).isEqualTo("req-1");
        assertThat(entry.causation()).isNull();
        assertThat(entry.data()).isEqualTo("{\"projectId\": \"astronomy\"}");
        assertThat(entry.recordedAt()).isAfterOrEqualTo(entry.decidedAt());
    }

    @Test
    void an_audience_receives_only_permitted_last_numbers() {
        LastNumber astronomy = new LastNumber("astronomy", 4);
        LastNumber biology = new LastNumber("biology", 2);
        LastNumber inventory = new LastNumber("-", 2);

        assertThat(numbers(ALL)).containsExactlyInAnyOrder(astronomy, biology, inventory);
        assertThat(numbers(LEASES)).containsExactlyInAnyOrder(astronomy, biology);
        assertThat(numbers(INVENTORY)).containsExactly(inventory);
        assertThat(numbers(ASTRONOMY)).containsExactly(astronomy);
        assertThat(numbers(new Audience(Set.of(new ProjectId("biology")), true)))
                .containsExactlyInAnyOrder(biology, inventory);
        assertThat(numbers(new Audience(Set.of(new ProjectId("-")), false))).isEmpty();
        assertThat(numbers(new Audience(Set.of(new ProjectId("chemistry")), false))).isEmpty();
        assertThat(numbers(new Audience(Set.of(), false))).isEmpty();
    }

    @Test
    void the_last_numbers_belong_to_the_offset_of_the_projection() {
        assertThat(feed.findVisible(ALL).position()).isEqualTo(8);
        requested("c", "astronomy");
        requested("d", "chemistry");
        assertThat(numbers(ALL)).hasSize(3).contains(new LastNumber("astronomy", 4));

        database.follow(new EntryProjection(database.jdbc()));

        assertThat(feed.findVisible(ALL).position()).isEqualTo(10);
        assertThat(numbers(ALL))
                .hasSize(4)
                .contains(new LastNumber("astronomy", 5), new LastNumber("chemistry", 1));
    }

    @Test
    void an_empty_event_log_has_no_last_numbers() {
        database.jdbc().execute("TRUNCATE event_entry; UPDATE projection SET position = 0");

        assertThat(feed.findVisible(ALL)).isEqualTo(new Standing(0, List.of()));
        assertThat(feed.findVisible(ASTRONOMY)).isEqualTo(new Standing(0, List.of()));
    }

    /** A query while events arrive returns as many as there are up to its position. */
    @Test
    void the_last_numbers_add_up_to_the_position_at_any_instant() throws Exception {
        try (ExecutorService follower = Executors.newSingleThreadExecutor()) {
            Future<?> following =
                    follower.submit(
                            () -> {
                                for (int i = 0; i < 200; i++) {
                                    happened("Lease", "a", "LeaseRenamed", "{}");
                                    requested("lease-" + i, "project-" + i % 7);
                                    database.follow(new EntryProjection(database.jdbc()));
                                }
                            });
            while (!following.isDone()) {
                assertAddsUp(feed.findVisible(ALL));
            }
            following.get();
        }

        Standing last = feed.findVisible(ALL);
        assertThat(last.position()).isEqualTo(408);
        assertAddsUp(last);
    }

    /** Asserts that the numbers add up to the position; positions have no gaps here. */
    private static void assertAddsUp(Standing standing) {
        assertThat(standing.projects().stream().mapToLong(LastNumber::number).sum())
                .isEqualTo(standing.position());
    }

    private List<LastNumber> numbers(Audience audience) {
        return feed.findVisible(audience).projects();
    }

    private Batch next(long after, Audience audience, int limit) {
        return feed.next(new Question(after, audience, Set.of(), limit));
    }

    private static List<Long> positions(Batch batch) {
        return batch.entries().stream().map(Entry::position).toList();
    }

    private static void requested(String lease, String project) {
        happened("Lease", lease, "LeaseRequested", "{\"projectId\": \"%s\"}".formatted(project));
    }

    private static void happened(String streamType, String stream, String type, String payload) {
        database.append(
                streamType, stream, type, payload, "{\"user\": \"ada\", \"requestId\": \"req-1\"}");
    }
}
