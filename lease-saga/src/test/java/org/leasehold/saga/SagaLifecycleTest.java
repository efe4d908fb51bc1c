package org.leasehold.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.jdbc.DataSourceConnectionProvider;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.config.Configurer;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventhandling.EventBus;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.Outcome;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.saga.fakes.Await;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.inventory.InventorySaga;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;

import java.sql.Connection;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** A test of all sagas, timers and tasks together, with a write side that accepts everything. */
class SagaLifecycleTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final ResourceId NODE_1 = new ResourceId(1);

    private final TestClock clock = new TestClock();
    private final FakeCommands commands = new FakeCommands();
    private final FakeReadModel world = new FakeReadModel();
    private final FakePlugins plugins = new FakePlugins();
    private final Map<String, AtomicInteger> sequences = new ConcurrentHashMap<>();
    private final List<RecordedEvent> stored = new CopyOnWriteArrayList<>();
    private final EmbeddedEventStore events =
            EmbeddedEventStore.builder().storageEngine(new InMemoryEventStorageEngine()).build();
    private final JdbcTemplate jdbc = new JdbcTemplate(Database.empty());
    private final AnnotationConfigApplicationContext context = context();
    private final Configuration axon = axon();

    private final Instant start = clock.instant().plus(HOUR);
    private final LeasePeriod period = new LeasePeriod(start, start.plus(HOUR));

    @BeforeEach
    void begin() {
        commands.answer(this::decide);
        world.put(Samples.view(LEASE, period, RESERVATION));
        axon.start();
        context.start();
    }

    @AfterEach
    void stop() {
        axon.shutdown();
        context.close();
    }

    @Test
    void a_lease_starts_announces_the_end_and_ends_at_the_planned_times() {
        publish(requested(start.plusSeconds(3000)));
        Await.until("timers are set", () -> timers() == 3);
        assertThat(plugins.calls()).isEmpty();

        clock.putForward(HOUR);
        Await.until("started", () -> sent(new LeaseCommand.ConfirmStart(LEASE, TENURE)));

        clock.putForward(Duration.ofMinutes(50));
        Await.until("announced", () -> plugins.calls().contains("before end " + RESERVATION));

        clock.putForward(HOUR);
        Await.until("ended", () -> sent(new LeaseCommand.ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls())
                .containsExactly(
                        "start " + RESERVATION, "before end " + RESERVATION, "end " + RESERVATION);
        Await.until("nothing is left", () -> timers() == 0 && rows("plugin_task") == 0);
    }

    @Test
    void reservations_start_one_after_the_other_across_restarts() {
        Tenure later = new Tenure(reservation(12), 5);
        world.put(Samples.view(LEASE, period, RESERVATION, reservation(12)));
        commands.answer(_ -> new Outcome.Accepted<>(1));
        axon.shutdown();

        handleOnNewNode(
                new LeaseEvent.LeaseStarting(
                        LEASE, List.of(TENURE, later), List.of(reservation(12))),
                confirmation(TENURE));
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION);
        handleOnNewNode(
                new LeaseEvent.ReservationActivated(LEASE, RESERVATION, null, List.of(later)),
                confirmation(later));

        assertThat(plugins.calls())
                .containsExactly("start " + RESERVATION, "start " + reservation(12));
    }

    /** Lets a new node handle an event, until a command is sent and no task is left. */
    private void handleOnNewNode(LeaseEvent event, LeaseCommand expected) {
        publish(event);
        Configuration node = axon();
        node.start();
        try {
            Await.until("it is confirmed", () -> sent(expected) && rows("plugin_task") == 0);
        } finally {
            node.shutdown();
        }
    }

    private static LeaseCommand confirmation(Tenure tenure) {
        return new LeaseCommand.ConfirmStart(LEASE, tenure);
    }

    @Test
    void a_lease_that_was_created_before_the_sagas_started_gets_timers() {
        axon.shutdown();
        publish(requested(null));
        Configuration later = axon();
        later.start();
        try {
            Await.until("timers are set", () -> timers() == 2);
        } finally {
            later.shutdown();
        }
    }

    @Test
    void a_rescheduled_lease_starts_at_the_new_time() {
        publish(requested(null));
        publish(
                new LeaseEvent.LeaseRescheduled(
                        LEASE,
                        new LeasePeriod(start.plus(HOUR), start.plus(HOUR).plus(HOUR)),
                        null));
        Await.until("its timer is set", () -> startsAfter(start.plusSeconds(1)));
        clock.putForward(HOUR.plusMinutes(1));
        assertThat(commands.commands()).isEmpty();

        clock.putForward(HOUR);

        Await.until("started", () -> sent(new LeaseCommand.ConfirmStart(LEASE, TENURE)));
    }

    @Test
    void a_lease_that_ends_early_leaves_no_timers() {
        publish(requested(start.plusSeconds(3000)));
        Await.until("timers are set", () -> timers() == 3);

        publish(new LeaseEvent.LeaseEnding(LEASE, EndCause.DELETED, List.of()));

        Await.until("no timers are left", () -> timers() == 0);
    }

    @Test
    void a_delayed_lease_retries_at_once_and_after_an_awaited_release() {
        commands.answer(_ -> new Outcome.Accepted<>(1));
        publish(delayedBy(7));
        Await.until("it tried again", () -> starts() == 1);
        publish(delayedBy(8));
        Await.until("it tried again, for another one", () -> starts() == 2);

        publish(released(7));
        publish(released(9));
        publish(released(8));

        Await.until("it tried again", () -> starts() == 3);
        Await.until("no timer is left", () -> timers() == 0);

        publish(new LeaseEvent.LeaseStarting(LEASE, List.of(TENURE)));
        Await.until("it does not wait any more", () -> rows("waiting") == 0);
        assertThat(starts()).isEqualTo(3);
    }

    @Test
    void the_plugin_is_called_for_an_enrolled_and_a_retired_resource() {
        ResourceId id = new ResourceId(1);
        world.enrol(id, "node1");
        publish(
                new ResourceEvent.ResourceEnrolled(
                        id, ResourceKind.PHYSICAL_HOST, "node1", null, null, Map.of(), Map.of()));
        Await.until("enrolled", () -> plugins.calls().contains("enrol node1"));

        world.retire(id);
        publish(new ResourceEvent.ResourceRetired(id));

        Await.until("retired", () -> plugins.calls().contains("retire node1"));
        Await.until("it is forgotten", () -> rows("saga_entry") == 0);
    }

    @Test
    void an_outage_and_a_recovery_are_reported_to_the_affected_leases() {
        registerHost(NODE_1);
        publish(disabled(OutageExtent.DOWN, LEASE, Samples.lease(2)));
        Await.until("it is told", () -> sent(down(LEASE)) && sent(down(Samples.lease(2))));
        publish(new LeaseEvent.ResourceFailed(LEASE, RESERVATION, NODE_1, "it is down"));

        publish(new ResourceEvent.ResourceEnabled(NODE_1));

        Await.until("it is told", () -> sent(back(LEASE)));
        Await.until("no timer is left", () -> timers() == 0);
        assertThat(sent(back(Samples.lease(2)))).isFalse();
    }

    @Test
    void a_closed_host_counts_as_recovered_for_existing_leases() {
        registerHost(NODE_1);
        publish(disabled(OutageExtent.DOWN, LEASE));
        publish(new LeaseEvent.ResourceFailed(LEASE, RESERVATION, NODE_1, "it is down"));
        publish(disabled(null, LEASE));
        publish(new LeaseEvent.ResourceFailed(Samples.lease(2), RESERVATION, NODE_1, "so is he"));
        Await.until("it is told", () -> sent(down(LEASE)));

        publish(disabled(OutageExtent.CLOSED, LEASE));

        Await.until("it is told", () -> sent(back(LEASE)) && sent(back(Samples.lease(2))));
        publish(disabled(OutageExtent.CLOSED, Samples.lease(3)));
        publish(disabled(OutageExtent.DOWN, Samples.lease(4)));
        Await.until("another one is told", () -> sent(down(Samples.lease(4))));
        assertThat(sent(down(Samples.lease(3)))).isFalse();
    }

    @Test
    void a_late_outage_or_recovery_event_is_corrected() {
        registerHost(NODE_1);
        publish(new LeaseEvent.ResourceFailed(LEASE, RESERVATION, NODE_1, "it was down"));
        Await.until("it is told", () -> sent(back(LEASE)));

        publish(disabled(OutageExtent.DOWN));
        publish(new LeaseEvent.ResourceRecovered(LEASE, RESERVATION, NODE_1));

        Await.until("it is told", () -> sent(down(LEASE)));
    }

    @Test
    void a_removed_part_of_a_reservation_is_no_outage_of_the_resource() {
        registerHost(NODE_1);
        publish(
                new LeaseEvent.ResourceFailed(
                        LEASE, RESERVATION, NODE_1, InventorySaga.PART_REMOVED));
        publish(new LeaseEvent.ResourceFailed(Samples.lease(2), RESERVATION, NODE_1, "so it was"));
        Await.until("another lease is corrected", () -> sent(back(Samples.lease(2))));
        Await.until("no timer is left", () -> timers() == 0);

        assertThat(sent(back(LEASE))).isFalse();
    }

    @Test
    void a_deleted_lease_wakes_a_retried_request_once() {
        commands.answer(_ -> new Outcome.Accepted<>(1));
        publishGranted();
        publishOf(Samples.lease(2), retried(Samples.lease(2)));
        publish(
                new LeaseEvent.LeaseEnding(LEASE, EndCause.DELETED, List.of()),
                new LeaseEvent.LeaseEnded(LEASE, EndCause.DELETED),
                new LeaseEvent.LeaseDeleted(LEASE));

        Await.until("it is tried", () -> sent(new LeaseCommand.RetryEarly(Samples.lease(2))));
        assertThat(commands.sent())
                .filteredOn(sent -> sent.command() instanceof LeaseCommand.RetryEarly)
                .extracting(sent -> sent.context().requestId())
                .containsExactly("req-" + Samples.lease(2));
        publish(new LeaseEvent.LeaseRenamed(LEASE, "another"));
        Await.until("only the planned attempt is left", () -> timers() == 1);
        assertThat(commands.commands())
                .containsOnlyOnce(new LeaseCommand.RetryEarly(Samples.lease(2)));
    }

    @Test
    void an_enrolled_resource_wakes_a_retried_request() {
        publishOf(Samples.lease(2), retried(Samples.lease(2)));

        registerHost(NODE_1);

        Await.until("it is tried", () -> sent(new LeaseCommand.RetryEarly(Samples.lease(2))));
    }

    @Test
    void a_decided_request_waits_for_no_attempt() {
        LeaseId lease = Samples.lease(2);
        Instant next = start.minusSeconds(60);
        RetryPlan plan =
                new RetryPlan(1, 3, Duration.ofMinutes(30), next, start, 1, next.minusSeconds(1));
        publishOf(lease, retried(lease, plan));
        registerHost(NODE_1);
        Await.until("an early attempt is set", () -> attempts() == 2);

        publishOf(
                lease,
                new LeaseEvent.LeaseRefused(
                        lease,
                        new ProjectId("astronomy"),
                        new UserId("ada"),
                        "comet",
                        period,
                        null,
                        List.of(),
                        List.of(),
                        1,
                        null));
        Await.until("no attempt is left", () -> attempts() == 0);
        assertThat(rows("retried_request")).isZero();
    }

    private int attempts() {
        return rows("timer WHERE task_instance ~ '^(early|retry):'");
    }

    private void publishGranted() {
        publish(
                new LeaseEvent.LeaseRequested(
                        LEASE,
                        new ProjectId("astronomy"),
                        new UserId("ada"),
                        "telescope",
                        period,
                        null,
                        List.of(
                                new ReservationWish(
                                        RESERVATION, ResourceKind.PHYSICAL_HOST, Map.of())),
                        null),
                new LeaseEvent.ReservationGranted(
                        LEASE, RESERVATION, period, Duration.ZERO, List.of(Samples.NODE_1)));
    }

    private LeaseEvent retried(LeaseId lease) {
        return retried(
                lease, new RetryPlan(1, 3, Duration.ofMinutes(30), start.minusSeconds(60), start));
    }

    private LeaseEvent retried(LeaseId lease, RetryPlan plan) {
        return new LeaseEvent.LeaseRetryScheduled(
                lease,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "comet",
                period,
                null,
                List.of(),
                plan,
                List.of(
                        new Shortage(
                                RESERVATION, ResourceKind.PHYSICAL_HOST, 1, 1, 0, period, 0, null)),
                1,
                null);
    }

    private void registerHost(ResourceId host) {
        commands.answer(_ -> new Outcome.Accepted<>(1));
        publish(
                new ResourceEvent.ResourceEnrolled(
                        host, ResourceKind.PHYSICAL_HOST, "node1", null, null, Map.of(), Map.of()));
    }

    private static ResourceEvent disabled(@Nullable OutageExtent extent, LeaseId... affected) {
        return new ResourceEvent.ResourceDisabled(
                NODE_1, "it is not well", List.of(affected), extent);
    }

    private static LeaseCommand down(LeaseId lease) {
        return new LeaseCommand.NoteOutage(lease, NODE_1, null, "it is not well");
    }

    private static LeaseCommand back(LeaseId lease) {
        return new LeaseCommand.NoteOutage(lease, NODE_1, null, null);
    }

    private Outcome<LeaseRejection> decide(FakeCommands.Sent sent) {
        switch (sent.command()) {
            case LeaseCommand.StartLease _ ->
                    publish(new LeaseEvent.LeaseStarting(LEASE, List.of(TENURE)));
            case LeaseCommand.ConfirmStart _ ->
                    publish(new LeaseEvent.ReservationActivated(LEASE, RESERVATION));
            case LeaseCommand.AnnounceEnd _ -> publish(new LeaseEvent.LeaseEndAnnounced(LEASE));
            case LeaseCommand.EndLease end ->
                    publish(new LeaseEvent.LeaseEnding(LEASE, end.cause(), List.of(TENURE)));
            case LeaseCommand.ConfirmRelease _ ->
                    publish(
                            new LeaseEvent.ReservationReleased(LEASE, RESERVATION),
                            new LeaseEvent.LeaseEnded(LEASE, EndCause.WINDOW_OVER));
            case LeaseCommand.CreateLease _,
                    LeaseCommand.ImportLease _,
                    LeaseCommand.ChangeLease _,
                    LeaseCommand.DeleteLease _,
                    LeaseCommand.ConfirmAdjustment _,
                    LeaseCommand.ReportFault _,
                    LeaseCommand.NoteOutage _,
                    LeaseCommand.RetryCreation _,
                    LeaseCommand.RetryEarly _,
                    LeaseCommand.RetryLease _,
                    LeaseCommand.ForceEnd _ ->
                    throw new IllegalStateException("nobody asked for " + sent.command());
        }
        return new Outcome.Accepted<>(1);
    }

    private void publish(Object... payloads) {
        publishOf(LEASE, payloads);
    }

    private void publishOf(LeaseId stream, Object... payloads) {
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
        events.publish(Arrays.stream(payloads).map(payload -> message(stream, payload)).toList());
    }

    private GenericDomainEventMessage<?> message(LeaseId lease, Object payload) {
        String stream =
                payload instanceof ResourceEvent event
                        ? event.resourceId().toString()
                        : lease.toString();
        AtomicInteger next = sequences.computeIfAbsent(stream, _ -> new AtomicInteger());
        GenericDomainEventMessage<?> message =
                new GenericDomainEventMessage<>(
                        "Lease",
                        stream,
                        next.getAndIncrement(),
                        payload,
                        Map.of("requestId", lease.equals(LEASE) ? "req-1" : "req-" + lease),
                        UUID.randomUUID().toString(),
                        clock.instant());
        stored.add(
                new RecordedEvent(
                        stored.size() + 1,
                        stream,
                        message.getSequenceNumber(),
                        payload,
                        clock.instant()));
        return message;
    }

    /** Returns the streams as the event log of the write side has them. */
    private EventStreams streams() {
        return new EventStreams() {
            @Override
            public List<RecordedEvent> read(Connection connection, String stream, long last) {
                return read(connection, List.of(stream), last);
            }

            @Override
            public List<RecordedEvent> read(
                    Connection connection, Collection<String> streams, long last) {
                return stored.stream().filter(event -> streams.contains(event.stream())).toList();
            }
        };
    }

    private LeaseEvent requested(@Nullable Instant beforeEnd) {
        return new LeaseEvent.LeaseRequested(
                LEASE,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "telescope",
                period,
                beforeEnd,
                List.of(),
                null);
    }

    private static LeaseEvent delayedBy(int awaited) {
        return new LeaseEvent.LeaseDelayed(
                LEASE, List.of(reservation(awaited)), "node1 is not free yet");
    }

    private static LeaseEvent released(int reservation) {
        return new LeaseEvent.ReservationReleased(
                Samples.lease(reservation), reservation(reservation));
    }

    private boolean sent(LeaseCommand command) {
        return commands.commands().contains(command);
    }

    private long starts() {
        return commands.commands().stream()
                .filter(command -> command instanceof LeaseCommand.StartLease)
                .count();
    }

    private boolean startsAfter(Instant instant) {
        return jdbc
                .queryForList(
                        "SELECT execution_time FROM timer WHERE task_instance LIKE 'start:%'",
                        Timestamp.class)
                .stream()
                .anyMatch(time -> time.toInstant().isAfter(instant));
    }

    private int timers() {
        return rows("timer");
    }

    private int rows(String table) {
        Integer count = jdbc.queryForObject("SELECT count(*) FROM " + table, Integer.class);
        return count == null ? 0 : count;
    }

    private AnnotationConfigApplicationContext context() {
        DataSource dataSource = jdbc.getDataSource();
        AnnotationConfigApplicationContext spring = new AnnotationConfigApplicationContext();
        spring.registerBean(DataSource.class, () -> dataSource);
        spring.registerBean(JdbcClient.class, () -> JdbcClient.create(dataSource));
        spring.registerBean(
                JdbcTransactionManager.class, () -> new JdbcTransactionManager(dataSource));
        spring.registerBean(EventBus.class, () -> events);
        spring.registerBean(EventStreams.class, this::streams);
        spring.registerBean(Node.class, () -> new Node(Node.currentProcessName(), true));
        spring.registerBean(TestClock.class, () -> clock);
        spring.registerBean(FakeCommands.class, () -> commands);
        spring.registerBean(FakeReadModel.class, () -> world);
        spring.registerBean(FakePlugins.class, () -> plugins);
        spring.registerBean(
                ConnectionProvider.class,
                () ->
                        new DataSourceConnectionProvider(
                                new TransactionAwareDataSourceProxy(dataSource)));
        for (String process :
                List.of(
                        "node",
                        "scheduler",
                        "timer",
                        "trust",
                        "task",
                        "waiting",
                        "reaction",
                        "retry",
                        "schedule",
                        "activation",
                        "termination",
                        "inventory")) {
            spring.scan("org.leasehold.saga." + process);
        }
        spring.refresh();
        return spring;
    }

    private Configuration axon() {
        TransactionManager transactions = transactions();
        Configurer configurer =
                DefaultConfigurer.defaultConfiguration(false)
                        .configureEventStore(_ -> events)
                        .configureTransactionManager(_ -> transactions)
                        .registerComponent(TokenStore.class, _ -> context.getBean(TokenStore.class))
                        .registerComponent(
                                ReactionExecutor.class,
                                _ -> context.getBean(ReactionExecutor.class));
        context.getBeansOfType(ConfigurerModule.class)
                .values()
                .forEach(module -> module.configureModule(configurer));
        return configurer.buildConfiguration();
    }

    private TransactionManager transactions() {
        PlatformTransactionManager spring = new JdbcTransactionManager(jdbc.getDataSource());
        return () -> {
            TransactionStatus status = spring.getTransaction(null);
            return new Transaction() {
                @Override
                public void commit() {
                    spring.commit(status);
                }

                @Override
                public void rollback() {
                    spring.rollback(status);
                }
            };
        };
    }
}
