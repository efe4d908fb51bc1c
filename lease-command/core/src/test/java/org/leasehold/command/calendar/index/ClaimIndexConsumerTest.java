package org.leasehold.command.calendar.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.stored.PostgresCalendarFixture;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.Availability.FindAvailability;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

import javax.sql.DataSource;

/** Two nodes on one database, each with its own memory. */
class ClaimIndexConsumerTest {

    private static final int HOSTS = 3;

    private final PostgresCalendarFixture database = new PostgresCalendarFixture().withHosts(HOSTS);
    private AnnotationConfigApplicationContext node;
    private AnnotationConfigApplicationContext otherNode;

    @BeforeEach
    void start() {
        node = startNode();
        otherNode = startNode();
    }

    @AfterEach
    void stop() {
        otherNode.close();
        node.close();
        database.jdbc.update("DELETE FROM idempotency");
    }

    @Test
    void the_claim_index_of_every_node_matches_the_database() {
        LeaseId moved = create(node, 0, 2, 1);
        LeaseId deleted = create(otherNode, 0, 2, 2);
        create(otherNode, 4, 6, 3);
        ChangeLease move =
                new ChangeLease(
                        moved,
                        null,
                        NOON.plus(10, ChronoUnit.HOURS),
                        NOON.plus(11, ChronoUnit.HOURS),
                        null,
                        List.of());
        assertThat(send(otherNode, move)).isInstanceOf(Accepted.class);
        assertThat(send(node, new DeleteLease(deleted))).isInstanceOf(Accepted.class);

        try (AnnotationConfigApplicationContext late = startNode()) {
            for (AnnotationConfigApplicationContext each : List.of(node, otherNode, late)) {
                remembersAll(each);
            }
        }
    }

    @Test
    void the_claim_index_of_every_node_knows_the_held_hosts() {
        LeaseId lease = create(node, 0, 2, 2);
        send(otherNode, new StartLease(lease));
        Tenure tenure = tenure(lease);
        try (AnnotationConfigApplicationContext late = startNode()) {
            for (AnnotationConfigApplicationContext each : List.of(node, otherNode, late)) {
                assertThat(held(each)).containsExactly(1L, 2L);
            }
            send(node, new DeleteLease(lease));
            send(node, new ConfirmRelease(lease, tenure));
            for (AnnotationConfigApplicationContext each : List.of(node, otherNode, late)) {
                assertThat(held(each)).isEmpty();
            }
        }
    }

    @Test
    void the_claim_index_of_every_node_knows_a_removal() {
        ReservationWish leaving = wish(2);
        ReservationWish staying = wish(1);
        LeaseId lease = id();
        assertThat(send(node, creation(lease, 0, 2, leaving, staying)))
                .isInstanceOf(Accepted.class);
        remembersAll(otherNode);
        assertThat(send(otherNode, exchange(lease, leaving, wish(1)))).isInstanceOf(Accepted.class);
        assertThat(send(otherNode, creation(id(), 0, 2, 2))).isInstanceOf(Refused.class);
        create(otherNode, 0, 2, 1);
        remembersAll(node);
        assertThat(send(node, exchange(lease, staying))).isInstanceOf(Accepted.class);

        create(otherNode, 0, 2, 1);
        remembersAll(node);
        remembersAll(otherNode);
    }

    /** Returns a change that removes a reservation, and adds others. */
    private static ChangeLease exchange(
            LeaseId lease, ReservationWish leaving, ReservationWish... joining) {
        return new ChangeLease(
                lease, null, null, null, null, List.of(), List.of(joining), List.of(leaving.id()));
    }

    private Tenure tenure(LeaseId lease) {
        return database.jdbc.queryForObject(
                "SELECT DISTINCT reservation_id, generation FROM holder WHERE lease_id = ?",
                (row, _) ->
                        new Tenure(new ReservationId(row.getObject(1, UUID.class)), row.getLong(2)),
                lease.value());
    }

    private static List<Long> held(AnnotationConfigApplicationContext each) {
        follow(each);
        ClaimIndex index = each.getBean(ClaimIndex.class);
        return LongStream.rangeClosed(1, HOSTS)
                .filter(host -> index.isHeld(new ResourceId(host)))
                .boxed()
                .toList();
    }

    @Test
    void availability_includes_the_commits_of_other_nodes() {
        for (int hour = 0; hour < 40; hour++) {
            create(hour % 2 == 0 ? node : otherNode, hour, hour + 1, HOSTS);
            FindAvailability question =
                    new FindAvailability(hosts(1, 1), Duration.ofHours(1), hour(0), hour(100), 1);
            for (AnnotationConfigApplicationContext each : List.of(node, otherNode)) {
                assertThat(each.getBean(Availability.class).find(question))
                        .singleElement()
                        .extracting(opening -> opening.starts().start())
                        .isEqualTo(hour(hour + 1));
            }
        }
    }

    @Test
    void an_outdated_claim_index_causes_no_wrong_refusal_and_no_overlap() {
        remembersAll(otherNode);
        otherNode.getBean(ClaimIndexConsumer.class).stop();
        LeaseId first = create(node, 0, 1, HOSTS);
        assertThat(send(otherNode, creation(id(), 0, 1, 1))).isInstanceOf(Refused.class);

        LeaseId second = create(otherNode, 1, 2, HOSTS);
        assertThat(send(node, new DeleteLease(first))).isInstanceOf(Accepted.class);
        assertThat(send(node, new DeleteLease(second))).isInstanceOf(Accepted.class);
        create(otherNode, 0, 1, HOSTS);
        create(otherNode, 1, 2, HOSTS);
        assertThat(database.overlaps()).isZero();
    }

    @Test
    void an_invalid_claim_index_is_filled_again() {
        create(node, 0, 2, 2);
        remembersAll(node);
        ClaimIndex index = node.getBean(ClaimIndex.class);
        index.replaceClaims(
                id(),
                new ReservationId(UUID.randomUUID()),
                List.of(
                        new FreeResourceTimeline.Claim(
                                new ResourceId(HOSTS), new LeasePeriod(hour(0), hour(2)))));
        index.invalidate();
        remembersAll(node);
    }

    @Test
    void a_repeated_request_gets_the_same_refusal_with_the_next_start() {
        create(node, 0, 3, HOSTS);
        CommandContext.Idempotency key = new CommandContext.Idempotency("p", "k-full", "hash");

        Outcome<LeaseRejection> first = send(node, creation(id(), 1, 2, 1), key);

        assertThat(first).isInstanceOf(Refused.class);
        assertThat(((Refused<LeaseRejection>) first).shortages())
                .extracting(Shortage::nextStart)
                .containsExactly(hour(3));
        assertThat(send(otherNode, creation(id(), 1, 2, 1), key)).isEqualTo(first);
    }

    private void remembersAll(AnnotationConfigApplicationContext each) {
        follow(each);
        ClaimIndex index = each.getBean(ClaimIndex.class);
        List<LeasePeriod> windows =
                LongStream.range(0, 12)
                        .mapToObj(h -> new LeasePeriod(hour(h), hour(h + 1)))
                        .toList();
        for (long host = 1; host <= HOSTS; host++) {
            ResourceId id = new ResourceId(host);
            List<LeasePeriod> claimed =
                    database.claims("WHERE resource_id = " + host).stream()
                            .map(FreeResourceTimeline.Claim::during)
                            .toList();
            for (LeasePeriod window : windows) {
                assertThat(index.isFree(id, window))
                        .as("host %s is free during %s", host, window)
                        .isEqualTo(claimed.stream().noneMatch(window::overlaps));
            }
        }
    }

    private static void follow(AnnotationConfigApplicationContext each) {
        Claims.Head head = each.getBean(Claims.class).head();
        ClaimIndexConsumer feed = each.getBean(ClaimIndexConsumer.class);
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!feed.awaitPosition(head.position(), Duration.ofSeconds(1))) {
            assertThat(System.nanoTime()).as("the feed follows").isLessThan(end);
        }
    }

    private LeaseId create(AnnotationConfigApplicationContext at, long from, long to, int count) {
        LeaseId id = id();
        assertThat(send(at, creation(id, from, to, count))).isInstanceOf(Accepted.class);
        return id;
    }

    private static CreateLease creation(LeaseId id, long from, long to, int count) {
        return creation(id, from, to, wish(count));
    }

    private static ReservationWish wish(int count) {
        return new ReservationWish(
                new ReservationId(UUID.randomUUID()),
                ResourceKind.PHYSICAL_HOST,
                HostOnlyPlugins.parameters(count, count));
    }

    private static CreateLease creation(
            LeaseId id, long from, long to, ReservationWish... reservations) {
        return new CreateLease(
                id,
                new ProjectId("p"),
                new UserId("u"),
                "nightly",
                hour(from),
                hour(to),
                null,
                List.of(reservations),
                null,
                null);
    }

    private static Outcome<LeaseRejection> send(
            AnnotationConfigApplicationContext at, LeaseCommand command) {
        return send(at, command, null);
    }

    private static Outcome<LeaseRejection> send(
            AnnotationConfigApplicationContext at,
            LeaseCommand command,
            CommandContext.@Nullable Idempotency key) {
        return at.getBean(Commands.class)
                .send(
                        command,
                        new CommandContext(NOON, "req", "u", "p", List.of("member"), "basic", key));
    }

    private static LeaseId id() {
        return new LeaseId(UUID.randomUUID());
    }

    private static Instant hour(long hour) {
        return NOON.plus(hour, ChronoUnit.HOURS);
    }

    private AnnotationConfigApplicationContext startNode() {
        DataSource source = database.jdbc.getDataSource();
        AnnotationConfigApplicationContext started = new AnnotationConfigApplicationContext();
        started.registerBean(DataSource.class, () -> source);
        started.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(source));
        started.registerBean(JdbcClient.class, () -> JdbcClient.create(source));
        started.registerBean(
                PlatformTransactionManager.class, () -> new JdbcTransactionManager(source));
        started.registerBean(Clock.class, () -> Clock.fixed(NOON, ZoneOffset.UTC));
        started.registerBean(HostOnlyPlugins.class);
        started.scan(
                "org.leasehold.command.calendar",
                "org.leasehold.command.execution",
                "org.leasehold.command.inventory",
                "org.leasehold.command.journal",
                "org.leasehold.command.lease");
        started.refresh();
        return started;
    }
}
