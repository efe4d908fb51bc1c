package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.axonframework.common.Registration;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.ContentionException;
import org.leasehold.command.DenialLog;
import org.leasehold.command.DenialLog.Why;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.RequestOrigin;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.command.execution.TestAggregate;
import org.leasehold.command.request.CommandMetadata;
import org.leasehold.command.request.RequestDataCleanup;
import org.leasehold.history.EventLog;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.IdempotencyKeyReused;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

class JournalTest {

    private static final Instant NOW = Instant.parse("2030-01-01T09:59:00.123456Z");

    private static EventStoreDatabase database;
    private static AnnotationConfigApplicationContext node;
    private static AnnotationConfigApplicationContext otherNode;
    private static final AtomicInteger DECISIONS = new AtomicInteger();

    private final LeaseId lease = new LeaseId(UUID.randomUUID());
    private final Commands commands = node.getBean(Commands.class);
    private final Commands elsewhere = otherNode.getBean(Commands.class);
    private final NotifyingEventStore journal = node.getBean(NotifyingEventStore.class);
    private final PostgresEventStorageEngine engine =
            node.getBean(PostgresEventStorageEngine.class);

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
        node = database.node(TestAggregate.shell(DECISIONS));
        otherNode = database.node(TestAggregate.shell(DECISIONS));
    }

    @AfterAll
    static void stop() throws IOException {
        otherNode.close();
        node.close();
        database.close();
    }

    @Test
    void a_stored_event_is_read_as_it_was_decided() {
        send(EventSamples.creation(lease));
        assertThat(events(lease))
                .containsExactly(
                        new LeaseRequested(
                                lease,
                                EventSamples.PROJECT,
                                EventSamples.USER,
                                "a",
                                EventSamples.PERIOD,
                                null,
                                List.of(EventSamples.wish())));
    }

    @Test
    void every_event_has_the_metadata_of_the_command() {
        commands.send(
                EventSamples.creation(lease),
                new CommandContext(
                        NOW,
                        "req-1",
                        "u",
                        "p",
                        List.of("member", "reader"),
                        "basic",
                        "cause",
                        "because",
                        null,
                        null,
                        null));
        Message<?> event = journal.readEvents(lease.toString()).next();
        assertThat(event.getMetaData())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "requestId", "req-1",
                                "user", "u",
                                "project", "p",
                                "roles", List.of("member", "reader"),
                                "authentication", "basic",
                                "causation", "cause",
                                "reason", "because"));
        assertThat(journal.readEvents(lease.toString()).next().getTimestamp()).isEqualTo(NOW);
    }

    @Test
    void an_outcome_names_the_position_of_the_last_event() {
        assertThat(position(send(EventSamples.creation(lease)))).isEqualTo(engine.head());
        assertThat(position(send(rename("b")))).isEqualTo(engine.head());
        assertThat(position(send(new EndLease(lease, EndCause.REQUESTED))))
                .isEqualTo(engine.head());
    }

    @Test
    void a_command_without_effect_is_accepted_at_the_current_position() {
        send(EventSamples.creation(lease));
        long head = engine.head();
        assertThat(send(new StartLease(lease))).isEqualTo(new Accepted<>(head));
        assertThat(engine.head()).isEqualTo(head);
    }

    @Test
    void a_failed_handler_stores_no_event() {
        send(EventSamples.creation(lease));
        assertThatThrownBy(() -> send(new ForceEnd(lease)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a defect");
        assertThat(events(lease)).hasSize(1);
    }

    @Test
    void a_failed_subscriber_rolls_back_the_event() {
        Registration table =
                journal.subscribe(
                        ignored -> {
                            throw new IllegalStateException("no table");
                        });
        try {
            assertThatThrownBy(() -> send(EventSamples.creation(lease))).hasMessage("no table");
        } finally {
            table.cancel();
        }
        assertThat(events(lease)).isEmpty();
    }

    @Test
    void a_rejected_command_of_a_caller_is_audited_and_stores_no_event() {
        assertThat(send(rename("b"))).isEqualTo(new Rejected<>(new LeaseNotFound(lease)));
        assertThat(events(lease)).isEmpty();
        assertThat(
                        database.jdbc()
                                .sql(
                                        """
                                        SELECT command, rejection ->> 'type' AS rejection,
                                            metadata ->> 'user' AS user
                                        FROM denied_attempt WHERE target = ?
                                        """)
                                .param(lease.toString())
                                .query()
                                .listOfRows())
                .containsExactly(
                        Map.of(
                                "command", "ChangeLease",
                                "rejection", "LeaseNotFound",
                                "user", "u"));
    }

    @Test
    void equal_denied_attempts_within_a_minute_are_counted_in_one_row() {
        DenialLog access = node.getBean(DenialLog.class);
        String target = lease.toString();
        String other = UUID.randomUUID().toString();
        Instant minute = Instant.parse("2026-11-21T10:00:00Z");
        for (int second : List.of(0, 30, 59, 60)) {
            Instant at = minute.plusSeconds(second);
            access.record(Why.ANOTHER_PROJECT, "read", target, context(null, at));
            access.record(Why.ANOTHER_PROJECT, "read", other, context(null, at));
            access.record(Why.ROLE, "read " + target, "/one/" + second, context(null, at));
        }

        assertThat(timesOf("target", target)).containsExactly(3L, 1L);
        assertThat(timesOf("target", other)).containsExactly(3L, 1L);
        // Attempts on several paths are still one attempt.
        assertThat(timesOf("command", "read " + target)).containsExactly(3L, 1L);
    }

    private List<Long> timesOf(String column, String value) {
        return database.jdbc()
                .sql(
                        "SELECT times FROM denied_attempt WHERE %s = ? ORDER BY attempt_id"
                                .formatted(column))
                .param(value)
                .query(Long.class)
                .list();
    }

    @Test
    void a_rejected_command_of_the_engine_is_not_audited() {
        commands.send(new StartLease(lease), CommandContext.ofEngine(NOW, "req-1", null));
        assertThat(
                        database.jdbc()
                                .sql("SELECT count(*) FROM denied_attempt WHERE target = ?")
                                .param(lease.toString())
                                .query(Long.class)
                                .single())
                .isZero();
    }

    @Test
    void a_rehearsal_returns_the_events_and_stores_none() {
        long head = engine.head();
        Commands.Rehearsal rehearsal =
                commands.rehearse(EventSamples.creation(lease), context(null));
        assertThat(rehearsal.outcome()).isEqualTo(new Accepted<>(head));
        assertThat(rehearsal.events()).hasExactlyElementsOfTypes(LeaseRequested.class);
        assertThat(engine.head()).isEqualTo(head);
        assertThat(commands.rehearse(EventSamples.creation(lease), context(null)).events())
                .hasSize(1);
    }

    @Test
    void a_repeated_request_gets_the_first_outcome() {
        Idempotency key = key("k-accepted", "hash");
        Outcome<LeaseRejection> first = commands.send(EventSamples.creation(lease), context(key));
        send(rename("b"));
        LeaseId repeated = new LeaseId(UUID.randomUUID());
        assertThat(elsewhere.send(EventSamples.creation(repeated), context(key))).isEqualTo(first);
        assertThat(events(repeated)).isEmpty();
    }

    @Test
    void a_repeated_request_that_was_refused_is_refused_again() {
        send(EventSamples.creation(lease));
        Idempotency key = key("k-refused", "hash");
        EndLease end = new EndLease(lease, EndCause.REQUESTED);
        Outcome<LeaseRejection> first = commands.send(end, context(key));
        assertThat(first).isInstanceOf(Refused.class);
        assertThat(commands.send(end, context(key))).isEqualTo(first);
        assertThat(events(lease)).hasSize(2);
    }

    @Test
    void a_repeated_request_that_was_rejected_is_decided_again() {
        Idempotency key = key("k-rejected", "hash");
        assertThat(commands.send(rename("b"), context(key))).isInstanceOf(Rejected.class);
        send(EventSamples.creation(lease));
        assertThat(commands.send(rename("b"), context(key))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_request_over_the_network_that_waited_too_long_is_not_decided() {
        Idempotency key = key("k-waited", "hash");
        Instant now = node.getBean(Clock.class).instant();
        CommandContext waited =
                fromNetwork(key, now.minus(CommandMetadata.MAX_REQUEST_AGE).minusSeconds(1));
        LeaseCommand creation = EventSamples.creation(lease);
        assertThatThrownBy(() -> commands.send(creation, waited))
                .isInstanceOf(ContentionException.class);
        assertThat(events(lease)).isEmpty();
        assertThat(commands.send(creation, fromNetwork(key, now))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_key_cannot_be_reused_for_another_request() {
        commands.send(EventSamples.creation(lease), context(key("k-reused", "hash")));
        assertThat(commands.send(rename("b"), context(key("k-reused", "other"))))
                .isEqualTo(new Rejected<>(new IdempotencyKeyReused("k-reused")));
        assertThat(events(lease)).hasSize(1);
    }

    @Test
    void keys_of_two_projects_are_independent() {
        commands.send(EventSamples.creation(lease), context(key("k-shared", "hash")));
        Idempotency theirs = new Idempotency("other project", "k-shared", "other");
        assertThat(commands.send(rename("b"), context(theirs))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_key_expires_after_a_day() {
        Idempotency key = key("k-old", "hash");
        Instant nextDay = NOW.plusSeconds(24 * 3600);
        commands.send(EventSamples.creation(lease), context(key));
        assertThat(
                        commands.send(
                                EventSamples.creation(lease),
                                context(key, nextDay.minusSeconds(1))))
                .isInstanceOf(Accepted.class);
        assertThat(commands.send(EventSamples.creation(lease), context(key, nextDay)))
                .isEqualTo(new Rejected<>(new LeaseExists(lease)));
        assertThat(node.getBean(RequestDataCleanup.class).deleteExpiredKeys(nextDay, 100))
                .isPositive();
        assertThat(
                        database.jdbc()
                                .sql("SELECT count(*) FROM idempotency")
                                .query(Long.class)
                                .single())
                .isZero();
    }

    @Test
    void a_request_sent_concurrently_with_one_key_is_executed_once() throws Exception {
        Idempotency key = key("k-race", "hash");
        List<Callable<Outcome<LeaseRejection>>> requests = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            Commands target = i % 2 == 0 ? commands : elsewhere;
            requests.add(
                    () ->
                            target.send(
                                    EventSamples.creation(new LeaseId(UUID.randomUUID())),
                                    context(key)));
        }
        long before = engine.head();
        assertThat(atOnce(requests)).hasSize(32).containsOnly(new Accepted<>(last(before)));
        assertThat(stored(before)).hasSize(1);
    }

    @Test
    void a_command_that_loses_a_race_for_a_stream_is_retried() throws Exception {
        send(EventSamples.creation(lease));
        List<Callable<Outcome<LeaseRejection>>> requests = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Commands target = i % 2 == 0 ? commands : elsewhere;
            requests.add(() -> target.send(rename("n"), context(null)));
        }
        assertThat(atOnce(requests)).allMatch(Accepted.class::isInstance);
        assertThat(events(lease).stream().skip(1))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 12)
                                .<LeaseEvent>mapToObj(
                                        i -> new LeaseEvent.LeaseRenamed(lease, "n " + i))
                                .toList());
    }

    @Test
    void only_one_concurrent_creation_of_a_lease_is_accepted() throws Exception {
        List<Callable<Outcome<LeaseRejection>>> requests =
                List.of(
                        () -> commands.send(EventSamples.creation(lease), context(null)),
                        () -> elsewhere.send(EventSamples.creation(lease), context(null)),
                        () -> commands.send(EventSamples.creation(lease), context(null)));
        assertThat(atOnce(requests))
                .filteredOn(Rejected.class::isInstance)
                .hasSize(2)
                .containsOnly(new Rejected<>(new LeaseExists(lease)));
    }

    @Test
    void a_concurrent_reader_of_the_event_log_gets_every_event() throws Exception {
        int writers = 32;
        int each = 40;
        long before = engine.head();
        AtomicBoolean done = new AtomicBoolean();
        List<Long> seen = new ArrayList<>();
        try (ExecutorService pool = Executors.newCachedThreadPool()) {
            Future<?> reader =
                    pool.submit(
                            () -> {
                                long last = before;
                                boolean finished = false;
                                while (!finished) {
                                    finished = done.get();
                                    for (long position : stored(last)) {
                                        seen.add(position);
                                        last = position;
                                    }
                                }
                            });
            List<Future<?>> all = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                Commands target = w % 2 == 0 ? commands : elsewhere;
                all.add(
                        pool.submit(
                                () -> {
                                    for (int i = 0; i < each; i++) {
                                        target.send(
                                                EventSamples.creation(
                                                        new LeaseId(UUID.randomUUID())),
                                                context(null));
                                    }
                                }));
            }
            for (Future<?> writer : all) {
                writer.get(2, TimeUnit.MINUTES);
            }
            done.set(true);
            reader.get(1, TimeUnit.MINUTES);
        }
        assertThat(seen).hasSize(writers * each).isEqualTo(stored(before));
    }

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
    private static List<RecordedEvent> awaited(long after, int count) throws InterruptedException {
        EventLogTail tail = node.getBean(EventLogTail.class);
        long end = System.nanoTime() + 30_000_000_000L;
        while (tail.readAfter(after).size() < count && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        return tail.readAfter(after);
    }

    private static List<RecordedEvent> stored(long after, int limit) throws SQLException {
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

    private static Object payload(BlockingStream<TrackedEventMessage<?>> stream)
            throws InterruptedException {
        assertThat(stream.hasNextAvailable(30, TimeUnit.SECONDS)).isTrue();
        return stream.nextAvailable().getPayload();
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

    @Test
    void a_command_inside_an_outer_transaction_fails() {
        var transactions = new TransactionTemplate(node.getBean(PlatformTransactionManager.class));
        assertThatThrownBy(
                        () ->
                                transactions.executeWithoutResult(
                                        ignored -> send(EventSamples.creation(lease))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nodes_share_one_sequence_of_resource_ids() {
        long first = commands.nextResourceId().value();
        assertThat(elsewhere.nextResourceId().value()).isEqualTo(first + 1);
    }

    private Outcome<LeaseRejection> send(LeaseCommand command) {
        return commands.send(command, context(null));
    }

    private ChangeLease rename(String name) {
        return new ChangeLease(lease, name, null, null, null, List.of());
    }

    private static Idempotency key(String key, String hash) {
        return new Idempotency("p", key, hash);
    }

    private static CommandContext context(Idempotency key) {
        return context(key, NOW);
    }

    private static CommandContext context(Idempotency key, Instant now) {
        return new CommandContext(now, "req-1", "u", "p", List.of("member"), "basic", key);
    }

    private static CommandContext fromNetwork(Idempotency key, Instant now) {
        return context(key, now).withOrigin(new RequestOrigin(null, "curl"));
    }

    private static long position(Outcome<?> outcome) {
        return switch (outcome) {
            case Accepted<?> accepted -> accepted.position();
            case Refused<?> refused -> refused.position();
            case Rejected<?> rejected -> throw new AssertionError(rejected);
        };
    }

    private List<LeaseEvent> events(LeaseId id) {
        return journal.readEvents(id.toString())
                .asStream()
                .map(event -> (LeaseEvent) event.getPayload())
                .toList();
    }

    private List<Long> stored(long after) {
        return engine.readEvents(new GlobalSequenceTrackingToken(after), false)
                .map(TrackedEventMessage::trackingToken)
                .map(token -> token.position().orElseThrow())
                .toList();
    }

    private long last(long before) {
        return stored(before).getLast();
    }

    private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<T> results = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(calls.size())) {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> call : calls) {
                futures.add(
                        pool.submit(
                                () -> {
                                    start.await();
                                    return call.call();
                                }));
            }
            start.countDown();
            for (Future<T> future : futures) {
                results.add(future.get(1, TimeUnit.MINUTES));
            }
        }
        return results;
    }
}
