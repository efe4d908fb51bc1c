package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tests retried leases on PostgreSQL: their count, their user, and decisions in groups. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class RetriedLeaseTest {

    private static final Instant NOW = Instant.parse("2030-01-01T09:59:00Z");
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private static EventStoreDatabase database;
    private static AnnotationConfigApplicationContext node;

    private final JdbcClient jdbc = database.jdbc();
    private final ProjectId project = new ProjectId("p-" + UUID.randomUUID());
    private final LeaseId lease = new LeaseId(UUID.randomUUID());

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
        node = database.nodeWithLeases(new HostOnlyPlugins(), 1000);
    }

    @AfterAll
    static void stop() {
        node.close();
        database.close();
    }

    @Test
    void a_retried_lease_counts_until_it_is_deleted() {
        assertThat(send(request(lease), NOW)).isInstanceOf(Accepted.class);
        assertThat(counts()).containsExactly(1L, 1L);

        assertThat(send(new DeleteLease(lease), NOW)).isInstanceOf(Accepted.class);
        assertThat(counts()).containsExactly(0L, 0L);
    }

    @Test
    void a_retried_lease_counts_until_it_is_refused_for_good() {
        send(request(lease), NOW);

        Outcome<LeaseRejection> last =
                node.getBean(Commands.class)
                        .send(
                                new RetryCreation(lease),
                                CommandContext.ofEngine(NOW.plus(INTERVAL), "req", null));

        assertThat(last).isInstanceOf(Refused.class);
        assertThat(counts()).containsExactly(0L, 0L);
        assertThat(types()).containsExactly("LeaseRetryScheduled", "LeaseRefused");
    }

    @Test
    void the_events_of_an_attempt_name_the_user_of_the_request() {
        send(request(lease), NOW);
        node.getBean(Commands.class)
                .send(
                        new RetryCreation(lease),
                        CommandContext.ofEngine(NOW.plus(INTERVAL), "req", null));

        assertThat(
                        jdbc.sql(
                                        "SELECT metadata ->> 'user' FROM domain_event"
                                                + " WHERE stream_id = ? ORDER BY sequence")
                                .param(lease.toString())
                                .query(String.class)
                                .list())
                .containsExactly("u", "u");
    }

    @Test
    void the_reasons_of_an_attempt_are_true_at_a_stored_position() throws Exception {
        List<Callable<Outcome<LeaseRejection>>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sent.add(() -> send(empty(), NOW));
            sent.add(() -> send(request(new LeaseId(UUID.randomUUID())), NOW));
        }

        try (ExecutorService callers = Executors.newFixedThreadPool(sent.size())) {
            for (Future<Outcome<LeaseRejection>> each : callers.invokeAll(sent)) {
                assertThat(each.get()).isInstanceOf(Accepted.class);
            }
        }

        assertThat(
                        jdbc.sql(
                                        """
                                        SELECT count(*) FROM domain_event r JOIN domain_event a
                                        ON a.xmin = r.xmin AND a.position < r.position
                                        WHERE r.event_type = 'LeaseRetryScheduled'
                                          AND a.event_type = 'LeaseRequested'
                                        """)
                                .query(Long.class)
                                .single())
                .isZero();
    }

    /** Returns a request for a host, which does not exist, with one retry. */
    private CreateLease request(LeaseId id) {
        return new CreateLease(
                id,
                project,
                new UserId("u"),
                "hopeless",
                NOW.plusSeconds(3600),
                NOW.plusSeconds(7200),
                null,
                List.of(
                        new ReservationWish(
                                new ReservationId(UUID.randomUUID()),
                                ResourceKind.PHYSICAL_HOST,
                                HostOnlyPlugins.parameters(1, 1))),
                new Retry(1, INTERVAL),
                null);
    }

    private CreateLease empty() {
        return new CreateLease(
                new LeaseId(UUID.randomUUID()),
                project,
                new UserId("u"),
                "empty",
                NOW.plusSeconds(3600),
                NOW.plusSeconds(7200),
                null,
                List.of(),
                null,
                null);
    }

    private static Outcome<LeaseRejection> send(LeaseCommand command, Instant now) {
        return node.getBean(Commands.class)
                .send(
                        command,
                        new CommandContext(now, "req", "u", "p", List.of("member"), "basic", null));
    }

    private List<Long> counts() {
        return jdbc.sql("SELECT unfinished, retried FROM lease_count WHERE project_id = ?")
                .param(project.value())
                .query((row, _) -> List.of(row.getLong(1), row.getLong(2)))
                .single();
    }

    private List<String> types() {
        return jdbc.sql("SELECT event_type FROM domain_event WHERE stream_id = ? ORDER BY sequence")
                .param(lease.toString())
                .query(String.class)
                .list();
    }
}
