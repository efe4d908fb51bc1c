package org.leasehold.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.command.Outcome;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;

import java.sql.Connection;
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

/** All sagas, timers and tasks of a node, with a write side that accepts everything. */
abstract class SagaFixture {

    static final Duration HOUR = Duration.ofHours(1);
    static final ResourceId NODE_1 = new ResourceId(1);

    final TestClock clock = new TestClock();
    final FakeCommands commands = new FakeCommands();
    final FakeReadModel world = new FakeReadModel();
    final FakePlugins plugins = new FakePlugins();
    private final Map<String, AtomicInteger> sequences = new ConcurrentHashMap<>();
    private final List<RecordedEvent> stored = new CopyOnWriteArrayList<>();
    private final EmbeddedEventStore events =
            EmbeddedEventStore.builder().storageEngine(new InMemoryEventStorageEngine()).build();
    final JdbcTemplate jdbc = new JdbcTemplate(Database.empty());
    final AnnotationConfigApplicationContext context = context();
    final Configuration axon = axon();

    final Instant start = clock.instant().plus(HOUR);
    final LeasePeriod period = new LeasePeriod(start, start.plus(HOUR));

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

    void registerHost(ResourceId host) {
        commands.answer(_ -> new Outcome.Accepted<>(1));
        publish(
                new ResourceEvent.ResourceEnrolled(
                        host, ResourceKind.PHYSICAL_HOST, "node1", null, null, Map.of(), Map.of()));
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
                    LeaseCommand.RecordOutage _,
                    LeaseCommand.ReplaceResource _,
                    LeaseCommand.ReplaceFailedResource _,
                    LeaseCommand.RetryCreation _,
                    LeaseCommand.RetryEarly _,
                    LeaseCommand.RetryLease _,
                    LeaseCommand.ForceEnd _ ->
                    throw new IllegalStateException("nobody asked for " + sent.command());
        }
        return new Outcome.Accepted<>(1);
    }

    void publish(Object... payloads) {
        publishOf(LEASE, payloads);
    }

    void publishOf(LeaseId stream, Object... payloads) {
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

    boolean sent(LeaseCommand command) {
        return commands.commands().contains(command);
    }

    int timers() {
        return rows("timer");
    }

    int rows(String table) {
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

    Configuration axon() {
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
