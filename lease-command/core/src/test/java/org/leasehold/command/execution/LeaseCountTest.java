package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
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
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Two nodes count the unfinished leases of projects on one PostgreSQL. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LeaseCountTest {

    private static final int MAX_LEASES = 5;
    private static final Instant NOW = Instant.parse("2030-01-01T09:59:00Z");

    private static EventStoreDatabase database;
    private static AnnotationConfigApplicationContext first;
    private static AnnotationConfigApplicationContext second;

    private final JdbcClient jdbc = database.jdbc();
    private final ProjectId project = new ProjectId("p-" + UUID.randomUUID());

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
        first = database.nodeWithLeases(new HostOnlyPlugins(), MAX_LEASES);
        second = database.nodeWithLeases(new HostOnlyPlugins(), MAX_LEASES);
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        database.close();
    }

    @Test
    void a_project_at_the_limit_gets_no_lease_until_one_ends() {
        List<LeaseId> leases = ids(MAX_LEASES);
        leases.forEach(lease -> assertThat(create(first, lease)).isInstanceOf(Accepted.class));

        assertThat(create(first)).isEqualTo(tooMany());
        assertThat(create(second)).isEqualTo(tooMany());
        assertThat(counted()).isEqualTo(MAX_LEASES);
        assertThat(rehearse(first).outcome()).isEqualTo(tooMany());

        assertThat(send(second, new DeleteLease(leases.getFirst()))).isInstanceOf(Accepted.class);
        assertThat(rehearse(first).outcome()).isInstanceOf(Accepted.class);
        assertThat(create(first)).isInstanceOf(Accepted.class);
        assertThat(create(second)).isEqualTo(tooMany());
    }

    @Test
    void each_project_has_a_separate_lease_count() {
        ids(MAX_LEASES).forEach(lease -> create(first, lease));
        ProjectId other = new ProjectId("o-" + UUID.randomUUID());

        assertThat(send(first, creation(LeaseId.of(UUID.randomUUID().toString()), other)))
                .isInstanceOf(Accepted.class);
        assertThat(counted(other)).isOne();
        assertThat(counted()).isEqualTo(MAX_LEASES);
    }

    @Test
    void a_node_with_an_outdated_count_does_not_exceed_the_limit() {
        assertThat(create(first)).isInstanceOf(Accepted.class);
        IntStream.range(1, MAX_LEASES).forEach(_ -> create(second));

        // Its memory has one lease.
        assertThat(create(first)).isEqualTo(tooMany());
        assertThat(counted()).isEqualTo(MAX_LEASES);
    }

    @Test
    void a_group_does_not_exceed_the_limit() throws Exception {
        create(first);

        List<Outcome<LeaseRejection>> outcomes =
                gathered(
                        IntStream.range(0, 2 * MAX_LEASES)
                                .<Callable<Outcome<LeaseRejection>>>mapToObj(
                                        _ -> () -> create(first))
                                .toList());

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(MAX_LEASES - 1);
        assertThat(outcomes).filteredOn(tooMany()::equals).hasSize(MAX_LEASES + 1);
        assertThat(counted()).isEqualTo(MAX_LEASES);
    }

    @Test
    void concurrent_nodes_do_not_exceed_the_limit() throws Exception {
        for (int round = 0; round < 20; round++) {
            ProjectId contested = new ProjectId("c-" + UUID.randomUUID());
            ProjectId other = new ProjectId("c-" + UUID.randomUUID());
            List<Callable<Outcome<LeaseRejection>>> sent = new ArrayList<>();
            for (int i = 0; i < 2 * MAX_LEASES; i++) {
                AnnotationConfigApplicationContext node = i % 2 == 0 ? first : second;
                // Each node uses the projects in another order.
                ProjectId one = i % 2 == 0 ? contested : other;
                ProjectId two = i % 2 == 0 ? other : contested;
                sent.add(() -> send(node, creation(new LeaseId(UUID.randomUUID()), one)));
                sent.add(() -> send(node, creation(new LeaseId(UUID.randomUUID()), two)));
            }

            List<Outcome<LeaseRejection>> outcomes = atOnce(sent);

            assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(2 * MAX_LEASES);
            assertThat(outcomes).filteredOn(tooMany()::equals).hasSize(2 * MAX_LEASES);
            assertThat(List.of(counted(contested), counted(other)))
                    .containsOnly((long) MAX_LEASES)
                    .isEqualTo(List.of(unfinished(contested), unfinished(other)));
        }
    }

    @Test
    void the_lease_count_equals_the_unfinished_leases_of_the_event_log() throws Exception {
        List<ProjectId> projects =
                IntStream.range(0, 3)
                        .mapToObj(_ -> new ProjectId("r-" + UUID.randomUUID()))
                        .toList();
        List<Callable<Outcome<LeaseRejection>>> lives = new ArrayList<>();
        for (int seed = 0; seed < 8; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            lives.add(() -> live(random, projects));
        }

        atOnce(lives);

        for (ProjectId each : projects) {
            assertThat(counted(each)).isEqualTo(unfinished(each)).isBetween(0L, (long) MAX_LEASES);
        }
    }

    /** Creates, repeats, tries, ends and deletes, with requests that are refused in between. */
    private Outcome<LeaseRejection> live(SplittableRandom random, List<ProjectId> projects) {
        List<LeaseId> leases = ids(6);
        Outcome<LeaseRejection> last = create(first);
        for (int step = 0; step < 120; step++) {
            AnnotationConfigApplicationContext node = random.nextBoolean() ? first : second;
            LeaseId lease = leases.get(random.nextInt(leases.size()));
            ProjectId project = projects.get(random.nextInt(projects.size()));
            last =
                    switch (random.nextInt(8)) {
                        case 0, 1, 2 ->
                                send(node, creation(new LeaseId(UUID.randomUUID()), project));
                        case 3 -> send(node, creation(lease, project));
                        case 4 -> send(node, hopeless(project));
                        case 5 -> repeated(node, project, "k-" + random.nextInt(20));
                        case 6 -> send(node, new EndLease(lease, EndCause.REQUESTED));
                        default -> end(node, random, project);
                    };
        }
        return last;
    }

    private Outcome<LeaseRejection> end(
            AnnotationConfigApplicationContext node, SplittableRandom random, ProjectId project) {
        List<String> there =
                jdbc.sql(
                                """
                                SELECT stream_id FROM domain_event
                                WHERE event_type = 'LeaseRequested'
                                    AND payload ->> 'projectId' = :project
                                ORDER BY position DESC LIMIT 8
                                """)
                        .param("project", project.value())
                        .query(String.class)
                        .list();
        return there.isEmpty()
                ? tooMany()
                : send(node, new DeleteLease(LeaseId.of(there.get(random.nextInt(there.size())))));
    }

    private Outcome<LeaseRejection> repeated(
            AnnotationConfigApplicationContext node, ProjectId project, String key) {
        return node.getBean(Commands.class)
                .send(
                        creation(new LeaseId(UUID.randomUUID()), project),
                        context(new Idempotency(project.value(), key, "hash")));
    }

    /** Creates a lease of a host, which does not exist. */
    private static CreateLease hopeless(ProjectId of) {
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

    @Test
    void a_refused_or_rejected_creation_is_not_counted() throws SQLException {
        assertThat(send(first, hopeless(project))).isInstanceOf(Refused.class);
        LeaseId lease = new LeaseId(UUID.randomUUID());
        create(first, lease);
        assertThat(create(second, lease)).isInstanceOf(Rejected.class);

        assertThat(counted()).isOne();
    }

    @Test
    void a_project_at_the_limit_does_not_split_a_group_of_other_projects() throws Exception {
        ids(MAX_LEASES).forEach(lease -> create(first, lease));
        ProjectId other = new ProjectId("o-" + UUID.randomUUID());
        List<Callable<Outcome<LeaseRejection>>> sent = new ArrayList<>();
        for (int i = 0; i < MAX_LEASES; i++) {
            sent.add(() -> create(first));
            sent.add(() -> send(first, creation(new LeaseId(UUID.randomUUID()), other)));
        }

        List<Outcome<LeaseRejection>> outcomes = gathered(sent);

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(MAX_LEASES);
        assertThat(
                        jdbc.sql(
                                        """
                                        SELECT count(DISTINCT xmin::text) FROM domain_event
                                        WHERE payload ->> 'projectId' = :project
                                        """)
                                .param("project", other.value())
                                .query(Long.class)
                                .single())
                .isOne();
    }

    private static Rejected<LeaseRejection> tooMany() {
        return new Rejected<>(new TooManyLeases(MAX_LEASES));
    }

    private Outcome<LeaseRejection> create(AnnotationConfigApplicationContext node) {
        return create(node, new LeaseId(UUID.randomUUID()));
    }

    private Outcome<LeaseRejection> create(AnnotationConfigApplicationContext node, LeaseId lease) {
        return send(node, creation(lease, project));
    }

    private Commands.Rehearsal rehearse(AnnotationConfigApplicationContext node) {
        return node.getBean(Commands.class)
                .rehearse(creation(new LeaseId(UUID.randomUUID()), project), context(null));
    }

    private static Outcome<LeaseRejection> send(
            AnnotationConfigApplicationContext node, LeaseCommand command) {
        return node.getBean(Commands.class).send(command, context(null));
    }

    /** Creates a lease that needs no resources. */
    private static CreateLease creation(LeaseId lease, ProjectId of) {
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

    private static CommandContext context(Idempotency key) {
        return new CommandContext(NOW, "req", "u", "p", List.of("member"), "basic", key);
    }

    private static List<LeaseId> ids(int count) {
        return IntStream.range(0, count).mapToObj(_ -> new LeaseId(UUID.randomUUID())).toList();
    }

    private long counted() {
        return counted(project);
    }

    private long counted(ProjectId of) {
        return jdbc.sql("SELECT unfinished FROM lease_count WHERE project_id = :project")
                .param("project", of.value())
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    /** Returns the number of leases that are not over, by the events. */
    private long unfinished(ProjectId of) {
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

    private static List<Outcome<LeaseRejection>> atOnce(
            List<Callable<Outcome<LeaseRejection>>> sent) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(sent.size())) {
            List<Outcome<LeaseRejection>> outcomes = new ArrayList<>();
            for (Future<Outcome<LeaseRejection>> outcome : threads.invokeAll(sent)) {
                outcomes.add(outcome.get());
            }
            return outcomes;
        }
    }

    /** Sends while the first node waits for the append lock, so that all but one form a group. */
    private List<Outcome<LeaseRejection>> gathered(List<Callable<Outcome<LeaseRejection>>> sent)
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
