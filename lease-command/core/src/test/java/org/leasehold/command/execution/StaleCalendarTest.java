package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.journal.NotifyingEventStore;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Three nodes on one PostgreSQL. One of them has the calendar of five seconds ago in memory. No
 * window overlaps another one.
 */
@Timeout(value = 180, threadMode = ThreadMode.SEPARATE_THREAD)
class StaleCalendarTest {

    private static final Instant NOW = Instant.parse("2030-01-01T09:59:00Z");
    private static final Duration DELAY = Duration.ofSeconds(5);
    private static final int HOSTS = 6;
    private static final int WINDOWS = 20;
    private static final int REQUESTS = 200;
    private static final long SEED = 26;

    private final EventStoreDatabase database = new EventStoreDatabase();
    private AnnotationConfigApplicationContext first;
    private AnnotationConfigApplicationContext second;
    private AnnotationConfigApplicationContext late;
    private DelayedEventSource memory;

    @BeforeEach
    void start() {
        database.jdbc()
                .sql(
                        """
                        INSERT INTO resource (resource_id, kind, name, state, attributes,
                                              capabilities, created_at)
                        SELECT id, 'physical:host', 'host-' || id, 'ENROLLED',
                               '{"vcpus": 64, "memory_mb": 65536}', '{}', now()
                        FROM generate_series(1, :hosts) id
                        """)
                .param("hosts", HOSTS)
                .update();
        first = database.nodeWithLeases(new HostOnlyPlugins(), 0);
        second = database.nodeWithLeases(new HostOnlyPlugins(), 0);
        late = database.nodeWithLeases(new HostOnlyPlugins(), 0, StaleCalendarTest::delay);
        memory = late.getBean(DelayedEventSource.class);
        EventStoreDatabase.await(memory::isOpen);
    }

    /** Delays only the feed of the memory, and no other consumers of the event log. */
    private static void delay(AnnotationConfigApplicationContext node) {
        node.registerBean(
                "lateEvents",
                DelayedEventSource.class,
                () -> new DelayedEventSource(node.getBean(NotifyingEventStore.class), DELAY),
                definition -> definition.setAutowireCandidate(false));
        node.addBeanFactoryPostProcessor(
                beans ->
                        beans.getBeanDefinition("claimFeed")
                                .getConstructorArgumentValues()
                                .addIndexedArgumentValue(
                                        0, new RuntimeBeanReference("lateEvents")));
    }

    @AfterEach
    void stop() {
        late.close();
        second.close();
        first.close();
        database.close();
    }

    @Test
    void a_stale_calendar_grants_the_full_request_after_a_release() {
        List<LeaseId> leases =
                IntStream.range(0, WINDOWS).mapToObj(_ -> new LeaseId(UUID.randomUUID())).toList();
        for (int window = 0; window < WINDOWS; window++) {
            assertThat(create(first, leases.get(window), window, 1, HOSTS - 1))
                    .isInstanceOf(Accepted.class);
        }
        long head = head();
        EventStoreDatabase.await(() -> memory.delivered() >= head);

        for (int window = 0; window < WINDOWS; window++) {
            assertThat(create(late, window, 2, HOSTS)).isInstanceOf(Refused.class);
            delete(first, leases.get(window));
            // All hosts are free, and its memory has all but one as claimed.
            assertThat(create(late, window, 1, HOSTS)).isInstanceOf(Accepted.class);
            assertThat(create(second, window, 1, 1)).isInstanceOf(Refused.class);
        }
        assertThat(memory.delivered()).isLessThan(head());
        ReplayedCalendar replay = replay();
        assertThat(replay.refused).isEqualTo(2 * WINDOWS);
        assertThat(replay.smaller).isZero();
    }

    @Test
    void a_stale_calendar_does_not_grant_a_host_twice() {
        for (int window = 0; window < WINDOWS; window++) {
            assertThat(create(first, window, HOSTS - 1, HOSTS - 1)).isInstanceOf(Accepted.class);
            // Its memory has all of them as free.
            assertThat(create(late, window, 2, HOSTS)).isInstanceOf(Refused.class);
            assertThat(create(late, window, 1, HOSTS)).isInstanceOf(Accepted.class);
        }
        assertThat(memory.delivered()).isLessThan(head());
        ReplayedCalendar replay = replay();
        assertThat(replay.refused).isEqualTo(WINDOWS);
        assertThat(replay.smaller).isEqualTo(WINDOWS);
    }

    @Test
    void decisions_of_concurrent_nodes_are_correct_at_the_positions() throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(3)) {
            List<Future<?>> running = new ArrayList<>();
            SplittableRandom seeds = new SplittableRandom(SEED);
            for (var node : List.of(first, second, late)) {
                SplittableRandom random = seeds.split();
                running.add(clients.submit(() -> createAndDelete(node, random)));
            }
            for (Future<?> client : running) {
                client.get();
            }
        }
        ReplayedCalendar replay = replay();
        assertThat(replay.refused).isPositive();
        assertThat(replay.smaller).isPositive();
    }

    private void createAndDelete(AnnotationConfigApplicationContext node, SplittableRandom random) {
        Deque<LeaseId> ownLeases = new ArrayDeque<>();
        // Before its first event, its memory has everything as free.
        for (int request = 0; request < REQUESTS; request += memory.delivered() > 0 ? 1 : 0) {
            try {
                if (!ownLeases.isEmpty() && random.nextInt(5) < 2) {
                    delete(node, ownLeases.removeFirst());
                } else {
                    LeaseId lease = new LeaseId(UUID.randomUUID());
                    int least = 1 + random.nextInt(HOSTS);
                    int max = least + random.nextInt(HOSTS - least + 1);
                    if (create(node, lease, random.nextInt(4), least, max) instanceof Accepted) {
                        ownLeases.addLast(lease);
                    }
                }
            } catch (ContentionException others) {
                // The command had no effect.
            }
        }
    }

    private Outcome<LeaseRejection> create(
            AnnotationConfigApplicationContext node, int window, int least, int max) {
        return create(node, new LeaseId(UUID.randomUUID()), window, least, max);
    }

    private static Outcome<LeaseRejection> create(
            AnnotationConfigApplicationContext node,
            LeaseId lease,
            int window,
            int least,
            int max) {
        Instant start = NOW.plus(Duration.ofDays(1 + window));
        return send(
                node,
                new CreateLease(
                        lease,
                        new ProjectId("p"),
                        new UserId("u"),
                        "n",
                        start,
                        start.plus(Duration.ofHours(1)),
                        null,
                        List.of(
                                new ReservationWish(
                                        new ReservationId(UUID.randomUUID()),
                                        ResourceKind.PHYSICAL_HOST,
                                        HostOnlyPlugins.parameters(least, max))),
                        null,
                        null));
    }

    private static void delete(AnnotationConfigApplicationContext node, LeaseId lease) {
        assertThat(send(node, new DeleteLease(lease))).isInstanceOf(Accepted.class);
    }

    private static Outcome<LeaseRejection> send(
            AnnotationConfigApplicationContext node, LeaseCommand command) {
        CommandContext context =
                new CommandContext(NOW, "req", "u", "p", List.of("member"), "basic", null);
        return node.getBean(Commands.class).send(command, context);
    }

    private long head() {
        return database.jdbc()
                .sql("SELECT max(position) FROM domain_event")
                .query(Long.class)
                .single();
    }

    private ReplayedCalendar replay() {
        EventLogTail tail = first.getBean(EventLogTail.class);
        ReplayedCalendar replay = new ReplayedCalendar(HOSTS);
        long position = 0;
        for (List<RecordedEvent> next = tail.readAfter(0);
                !next.isEmpty();
                next = tail.readAfter(position)) {
            for (RecordedEvent event : next) {
                position = event.position();
                if (event.event() instanceof LeaseEvent happened) {
                    replay.take(position, happened);
                }
            }
        }
        return replay;
    }
}
