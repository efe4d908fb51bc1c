package org.leasehold.command.execution;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.TooManyLeases;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.Connection;
import java.sql.Statement;
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

/** Two nodes count the unfinished leases of projects on one PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaseCountFixture {

    static final int MAX_LEASES = 5;
    private static final Instant NOW = Instant.parse("2030-01-01T09:59:00Z");

    private final EventStoreDatabase database = new EventStoreDatabase();
    final AnnotationConfigApplicationContext first =
            database.nodeWithLeases(new HostOnlyPlugins(), MAX_LEASES);
    final AnnotationConfigApplicationContext second =
            database.nodeWithLeases(new HostOnlyPlugins(), MAX_LEASES);
    final JdbcClient jdbc = database.jdbc();
    ProjectId project;

    /** Uses another project in each test: a project has the leases of the test only. */
    @BeforeEach
    void createProject() {
        project = new ProjectId("p-" + UUID.randomUUID());
    }

    @AfterAll
    void stop() {
        first.close();
        second.close();
        database.close();
    }

    /** Creates a lease of a host, which does not exist. */
    static CreateLease hopeless(ProjectId of) {
        return new CreateLease(
                new LeaseId(UUID.randomUUID()),
                of,
                new UserId("u"),
                "hopeless",
                NOW.plusSeconds(60),
                NOW.plus(Duration.ofHours(1)),
                null,
                List.of(
                        new ReservationWish(
                                new ReservationId(UUID.randomUUID()),
                                ResourceKind.PHYSICAL_HOST,
                                HostOnlyPlugins.parameters(1, 1))),
                null,
                null);
    }

    static Rejected<LeaseRejection> tooMany() {
        return new Rejected<>(new TooManyLeases(MAX_LEASES));
    }

    Outcome<LeaseRejection> create(AnnotationConfigApplicationContext node) {
        return create(node, new LeaseId(UUID.randomUUID()));
    }

    Outcome<LeaseRejection> create(AnnotationConfigApplicationContext node, LeaseId lease) {
        return send(node, creation(lease, project));
    }

    Commands.Rehearsal rehearse(AnnotationConfigApplicationContext node) {
        return node.getBean(Commands.class)
                .rehearse(creation(new LeaseId(UUID.randomUUID()), project), context(null));
    }

    static Outcome<LeaseRejection> send(
            AnnotationConfigApplicationContext node, LeaseCommand command) {
        return node.getBean(Commands.class).send(command, context(null));
    }

    /** Creates a lease that needs no resources. */
    static CreateLease creation(LeaseId lease, ProjectId of) {
        return new CreateLease(
                lease,
                of,
                new UserId("u"),
                "n",
                NOW.plusSeconds(60),
                NOW.plus(Duration.ofHours(1)),
                null,
                List.of(),
                null,
                null);
    }

    static CommandContext context(Idempotency key) {
        return new CommandContext(NOW, "req", "u", "p", List.of("member"), "basic", key);
    }

    static List<LeaseId> ids(int count) {
        return IntStream.range(0, count).mapToObj(_ -> new LeaseId(UUID.randomUUID())).toList();
    }

    long counted() {
        return counted(project);
    }

    long counted(ProjectId of) {
        return jdbc.sql("SELECT unfinished FROM lease_count WHERE project_id = :project")
                .param("project", of.value())
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    /** Returns the number of leases that are not over, by the events. */
    long unfinished(ProjectId of) {
        return jdbc.sql(
                        """
                        SELECT count(*) FROM domain_event made
                        WHERE event_type = 'LeaseRequested' AND payload ->> 'projectId' = :project
                            AND NOT EXISTS (
                                SELECT FROM domain_event over
                                WHERE over.stream_id = made.stream_id
                                    AND over.event_type IN ('LeaseEnded', 'LeaseDeleted'))
                        """)
                .param("project", of.value())
                .query(Long.class)
                .single();
    }

    static List<Outcome<LeaseRejection>> atOnce(List<Callable<Outcome<LeaseRejection>>> sent)
            throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(sent.size())) {
            List<Outcome<LeaseRejection>> outcomes = new ArrayList<>();
            for (Future<Outcome<LeaseRejection>> outcome : threads.invokeAll(sent)) {
                outcomes.add(outcome.get());
            }
            return outcomes;
        }
    }

    /** Sends while the first node waits for the append lock, so that all but one form a group. */
    List<Outcome<LeaseRejection>> gathered(List<Callable<Outcome<LeaseRejection>>> sent)
            throws Exception {
        List<Future<Outcome<LeaseRejection>>> outcomes = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(sent.size() + 1);
                Connection appender = database.connect();
                Statement statement = appender.createStatement()) {
            appender.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(1)");
            ProjectId stopper = new ProjectId("s-" + UUID.randomUUID());
            Future<?> stopping =
                    threads.submit(
                            () -> send(first, creation(new LeaseId(UUID.randomUUID()), stopper)));
            EventStoreDatabase.await(() -> database.waitingForTheLock() == 1);
            sent.forEach(sending -> outcomes.add(threads.submit(sending)));
            GroupCommit group = first.getBean(GroupCommit.class);
            EventStoreDatabase.await(() -> group.queueLength() == sent.size());
            appender.rollback();
            stopping.get();
        }
        List<Outcome<LeaseRejection>> all = new ArrayList<>();
        for (Future<Outcome<LeaseRejection>> outcome : outcomes) {
            all.add(outcome.get());
        }
        return all;
    }
}
