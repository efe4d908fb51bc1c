package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.junit.jupiter.api.Test;
import org.leasehold.history.EventLog;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** The readers of stored events. */
class EventLogReadersTest extends JournalFixture {

    @Test
    void commits_of_the_same_and_other_nodes_wake_a_reader() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (BlockingStream<TrackedEventMessage<?>> stream =
                journal.openStream(journal.createHeadToken())) {
            assertThat(stream.setOnAvailableCallback(calls::incrementAndGet)).isTrue();
            assertThat(stream.hasNextAvailable()).isFalse();
            send(EventSamples.creation(lease));
            assertThat(calls).hasPositiveValue();
            assertThat(payload(stream)).isInstanceOf(LeaseRequested.class);
            elsewhere.send(rename("b"), context(null));
            assertThat(payload(stream)).isEqualTo(new LeaseEvent.LeaseRenamed(lease, "b 1"));
            assertThat(stream.peek()).isEmpty();
        }
    }

    private static Object payload(BlockingStream<TrackedEventMessage<?>> stream)
            throws InterruptedException {
        assertThat(stream.hasNextAvailable(30, TimeUnit.SECONDS)).isTrue();
        return stream.nextAvailable().getPayload();
    }

    @Test
    void commits_of_the_same_and_other_nodes_end_a_wait_for_events() throws Exception {
        SharedEventLogTail tail = new SharedEventLogTail(journal, engine);
        long before = engine.head();
        assertThat(tail.awaitEventAfter(before, Duration.ofMillis(50))).isEqualTo(before);
        try (ExecutorService waiting = Executors.newSingleThreadExecutor()) {
            Future<Long> awaited =
                    waiting.submit(() -> tail.awaitEventAfter(before, Duration.ofSeconds(30)));
            send(EventSamples.creation(lease));
            long first = awaited.get();
            assertThat(first).isGreaterThan(before);
            awaited = waiting.submit(() -> tail.awaitEventAfter(first, Duration.ofSeconds(30)));
            elsewhere.send(rename("b"), context(null));
            assertThat(awaited.get()).isGreaterThan(first);
        }
        assertThat(tail.awaitEventAfter(before, Duration.ZERO)).isEqualTo(engine.head());
    }

    @Test
    void consumers_get_the_stored_events_as_shared_objects() throws Exception {
        long before = engine.head();
        send(EventSamples.creation(lease));
        send(rename("b"));
        send(rename("c"));

        List<RecordedEvent> followed = awaited(before, 3);

        assertThat(followed).isEqualTo(stored(before, followed.size())).hasSizeGreaterThan(2);
        List<RecordedEvent> further = node.getBean(EventLogTail.class).readAfter(before + 1);
        assertThat(further).isEqualTo(followed.subList(1, followed.size()));
        for (RecordedEvent event : further) {
            int index = (int) (event.position() - before) - 1;
            assertThat(event.event()).isSameAs(followed.get(index).event());
        }
    }

    /** Waits, because consumers get an event a moment after its commit. */
    private List<RecordedEvent> awaited(long after, int count) throws InterruptedException {
        EventLogTail tail = node.getBean(EventLogTail.class);
        long end = System.nanoTime() + 30_000_000_000L;
        while (tail.readAfter(after).size() < count && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        return tail.readAfter(after);
    }

    private List<RecordedEvent> stored(long after, int limit) throws SQLException {
        EventLog log = node.getBean(EventLog.class);
        try (Connection connection = node.getBean(DataSource.class).getConnection()) {
            return log.readAfter(connection, after, limit);
        }
    }

    @Test
    void an_event_deleted_in_the_database_is_not_read_from_memory() throws Exception {
        EventLogTail tail = node.getBean(EventLogTail.class);
        long before = engine.head();
        send(EventSamples.creation(lease));
        assertThat(awaited(before, 1)).isNotEmpty();

        node.getBean(JdbcTemplate.class)
                .update("DELETE FROM domain_event WHERE stream_id = ?", lease.toString());

        long end = System.nanoTime() + 30_000_000_000L;
        while (!tail.readAfter(before).isEmpty() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(tail.readAfter(before)).isEmpty();
    }

    @Test
    void readers_at_different_offsets_read_the_same_events() throws Exception {
        long before = engine.head();
        for (int i = 0; i < 5; i++) {
            send(EventSamples.creation(new LeaseId(UUID.randomUUID())));
        }
        List<Long> stored = stored(before);
        for (long from : stored) {
            List<Long> read = new ArrayList<>();
            try (var stream = journal.openStream(new GlobalSequenceTrackingToken(from))) {
                while (stream.hasNextAvailable()) {
                    read.add(stream.nextAvailable().trackingToken().position().orElseThrow());
                }
            }
            assertThat(read).isEqualTo(stored.stream().filter(p -> p > from).toList());
        }
    }
}
