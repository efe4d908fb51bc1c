package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.axonframework.eventhandling.DomainEventMessage;
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
import org.leasehold.command.RequestOrigin;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.command.journal.NotifyingEventStore;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.IdempotencyKeyReused;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Commands form a group while the one before them waits for the append lock. */
class GroupCommitTest {

    private static final Instant NOW = Instant.parse("2030-01-01T09:59:00Z");

    private static EventStoreDatabase database;
    private static AnnotationConfigApplicationContext node;

    private final Commands commands = node.getBean(Commands.class);
    private final JdbcClient jdbc = database.jdbc();

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
        node = database.node(TestAggregate.shell(new AtomicInteger()));
    }

    @AfterAll
    static void stop() throws IOException {
        node.close();
        database.close();
    }

    @Test
    void commands_that_arrive_during_a_commit_share_a_transaction() {
        List<LeaseId> leases = ids(20);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(leases.stream().map(this::create).toList());

        assertThat(outcomes).allMatch(Accepted.class::isInstance);
        assertThat(leases).allMatch(lease -> events(lease) == 1);
        assertThat(transactions(leases)).isOne();
    }

    @Test
    void each_event_of_a_group_has_the_request_id_and_time_of_the_command() {
        List<LeaseId> leases = ids(2);
        grouped(
                List.of(
                        () ->
                                commands.send(
                                        EventSamples.creation(leases.get(0)),
                                        context("req-a", 1, null)),
                        () ->
                                commands.send(
                                        EventSamples.creation(leases.get(1)),
                                        context("req-b", 2, null))));

        assertThat(transactions(leases)).isOne();
        assertThat(request(leases.get(0))).isEqualTo("req-a " + NOW.plusSeconds(1));
        assertThat(request(leases.get(1))).isEqualTo("req-b " + NOW.plusSeconds(2));
    }

    @Test
    void the_group_transaction_stores_the_origins_of_all_requests() {
        List<LeaseId> leases = ids(4);
        LeaseId missing = ids(1).getFirst();
        List<Sending> sent = new ArrayList<>();
        for (LeaseId lease : leases) {
            sent.add(() -> commands.send(EventSamples.creation(lease), from("192.0.2.7", lease)));
        }
        sent.add(2, () -> commands.send(rename(missing), from("192.0.2.8", missing)));

        List<Outcome<LeaseRejection>> outcomes = grouped(sent);

        assertThat(outcomes.get(2)).isInstanceOf(Rejected.class);
        assertThat(transactions(leases)).isOne();
        assertThat(
                        jdbc.sql(
                                        """
                                        SELECT count(*) FROM domain_event e JOIN request_origin o
                                        ON o.request_id = e.metadata ->> 'requestId'
                                            AND o.xmin = e.xmin
                                        WHERE host(address) = '192.0.2.7'
                                        """)
                                .query(Integer.class)
                                .single())
                .isEqualTo(leases.size());
    }

    private static CommandContext from(String address, LeaseId lease) {
        return context("req-" + lease, 0, null).withOrigin(RequestOrigin.of(address, null));
    }

    @Test
    void a_failed_command_does_not_fail_the_group() {
        LeaseId broken = ids(1).getFirst();
        create(broken).send();
        List<LeaseId> leases = ids(3);
        List<Sending> sent = new ArrayList<>(leases.stream().map(this::create).toList());
        sent.add(1, () -> send(new ForceEnd(broken)));

        assertThatThrownBy(() -> grouped(sent))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("a defect");
        assertThat(leases).allMatch(lease -> events(lease) == 1);
        assertThat(events(broken)).isOne();
    }

    @Test
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void an_error_in_a_commit_does_not_affect_the_next_command() {
        LeaseId broken = ids(1).getFirst();
        create(broken).send();

        assertThatThrownBy(() -> send(new RetryLease(broken))).hasMessage("an error");

        assertThat(events(broken)).isOne();
        LeaseId next = ids(1).getFirst();
        assertThat(create(next).send()).isInstanceOf(Accepted.class);
        assertThat(events(next)).isOne();
    }

    @Test
    void refusals_share_a_transaction_until_a_command_is_accepted() {
        List<LeaseId> full = ids(3);
        full.forEach(lease -> create(lease).send());
        LeaseId other = ids(1).getFirst();
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                refused(full.get(0)),
                                refused(full.get(1)),
                                create(other),
                                refused(full.get(2))));

        assertThat(outcomes.subList(0, 2)).containsOnly(new Refused<>(List.of(), last(other)));
        // Two creations before the group, and the group.
        assertThat(transactions(List.of(full.get(0), full.get(1), other))).isEqualTo(3);
        // No event of the same transaction hides the events behind the refusal.
        assertThat(outcomes.get(3)).isEqualTo(new Refused<>(List.of(), last(full.get(2))));
        assertThat(last(full.get(2))).isGreaterThan(last(other));
    }

    @Test
    void a_group_has_a_limited_number_of_refusals() {
        List<LeaseId> full = ids(10);
        full.forEach(lease -> create(lease).send());
        List<Outcome<LeaseRejection>> outcomes =
                grouped(full.stream().map(GroupCommitTest.this::refused).toList());

        long together = last(full.get(7));
        assertThat(outcomes.subList(0, 8)).containsOnly(new Refused<>(List.of(), together));
        assertThat(outcomes.subList(8, 10))
                .containsExactly(
                        new Refused<>(List.of(), together + 1),
                        new Refused<>(List.of(), together + 2));
    }

    @Test
    void a_refusal_of_a_failed_group_is_decided_again() {
        List<LeaseId> leases = ids(2);
        leases.forEach(lease -> create(lease).send());
        assertThatThrownBy(
                        () ->
                                grouped(
                                        List.of(
                                                refused(leases.get(0)),
                                                () -> send(new ForceEnd(leases.get(1))))))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("a defect");
        assertThat(events(leases.get(0))).isEqualTo(2);
        assertThat(events(leases.get(1))).isOne();
    }

    @Test
    void a_refusal_in_a_group_takes_the_idempotency_key() {
        List<LeaseId> leases = ids(2);
        leases.forEach(lease -> create(lease).send());
        Idempotency key = new Idempotency("p", "k-refused", "hash");
        Sending refused =
                () ->
                        commands.send(
                                new EndLease(leases.get(0), EndCause.REQUESTED),
                                context("req-1", 0, key));
        List<Outcome<LeaseRejection>> outcomes = grouped(List.of(refused, refused(leases.get(1))));

        assertThat(outcomes).containsOnly(new Refused<>(List.of(), last(leases.get(1))));
        assertThat(refused.send()).isEqualTo(outcomes.get(0));
        assertThat(events(leases.get(0))).isEqualTo(2);
        jdbc.sql("DELETE FROM idempotency").update();
    }

    private Sending refused(LeaseId lease) {
        return () -> send(new EndLease(lease, EndCause.REQUESTED));
    }

    @Test
    void a_rejection_in_a_group_stores_no_event_and_no_key() {
        LeaseId missing = ids(1).getFirst();
        Idempotency key = new Idempotency("p", "k", "hash");
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                create(ids(1).getFirst()),
                                () -> commands.send(rename(missing), context("req-1", 0, key)),
                                create(ids(1).getFirst())));

        assertThat(outcomes.get(1)).isInstanceOf(Rejected.class);
        assertThat(jdbc.sql("SELECT count(*) FROM idempotency").query(Long.class).single())
                .isZero();
        assertThat(events(missing)).isZero();
    }

    @Test
    void a_postponed_command_takes_the_idempotency_key_when_decided_alone() {
        LeaseId lease = ids(1).getFirst();
        create(lease).send();
        Idempotency key = new Idempotency("p", "k-postponed", "hash");
        Sending announcement =
                () -> commands.send(new AnnounceEnd(lease), context("req-1", 0, key));
        List<Outcome<LeaseRejection>> outcomes =
                grouped(List.of(create(ids(1).getFirst()), announcement));

        assertThat(outcomes.get(1)).isInstanceOf(Accepted.class);
        assertThat(announcement.send()).isEqualTo(outcomes.get(1));
        assertThat(events(lease)).isEqualTo(2);
        jdbc.sql("DELETE FROM idempotency").update();
    }

    @Test
    void a_repeated_request_in_a_group_gets_the_first_outcome() {
        Idempotency key = new Idempotency("p", "k-twice", "hash");
        List<LeaseId> leases = ids(2);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        leases.stream()
                                .<Sending>map(
                                        lease ->
                                                () ->
                                                        commands.send(
                                                                EventSamples.creation(lease),
                                                                context("req-1", 0, key)))
                                .toList());

        assertThat(outcomes.get(0)).isEqualTo(outcomes.get(1)).isInstanceOf(Accepted.class);
        assertThat(leases.stream().mapToLong(this::events).sum()).isOne();
        jdbc.sql("DELETE FROM idempotency").update();
    }

    @Test
    void idempotency_keys_of_a_group_need_one_insert_and_one_update() {
        jdbc.sql(
                        """
                        CREATE TABLE key_statement (operation text);
                        CREATE FUNCTION note_key_statement() RETURNS trigger LANGUAGE plpgsql
                            AS 'BEGIN INSERT INTO key_statement VALUES (TG_OP); RETURN NULL; END';
                        CREATE TRIGGER key_statements AFTER INSERT OR UPDATE OR DELETE
                            ON idempotency EXECUTE FUNCTION note_key_statement();
                        """)
                .update();
        List<LeaseId> leases = ids(10);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        leases.stream()
                                .map(lease -> createOnce(lease, "k-" + lease, "h"))
                                .toList());

        assertThat(transactions(leases)).isOne();
        // PostgreSQL runs triggers of updates for INSERT … ON CONFLICT DO UPDATE, too.
        assertThat(jdbc.sql("SELECT operation FROM key_statement").query(String.class).list())
                .containsExactlyInAnyOrder("INSERT", "UPDATE", "UPDATE");
        for (int i = 0; i < leases.size(); i++) {
            LeaseId repeated = ids(1).getFirst();
            assertThat(createOnce(repeated, "k-" + leases.get(i), "h").send())
                    .isEqualTo(outcomes.get(i))
                    .isInstanceOf(Accepted.class);
            assertThat(events(repeated)).isZero();
        }
        jdbc.sql(
                        """
                        DROP TRIGGER key_statements ON idempotency;
                        DROP FUNCTION note_key_statement;
                        DROP TABLE key_statement;
                        DELETE FROM idempotency;
                        """)
                .update();
    }

    @Test
    void a_key_of_two_different_requests_in_a_group_is_accepted_once() {
        List<LeaseId> leases = ids(2);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                createOnce(leases.get(0), "k-both", "one"),
                                createOnce(leases.get(1), "k-both", "other")));

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(1);
        assertThat(outcomes)
                .filteredOn(Rejected.class::isInstance)
                .containsExactly(new Rejected<>(new IdempotencyKeyReused("k-both")));
        assertThat(leases.stream().mapToLong(this::events).sum()).isOne();
        jdbc.sql("DELETE FROM idempotency").update();
    }

    private Sending createOnce(LeaseId lease, String key, String hash) {
        return () ->
                commands.send(
                        EventSamples.creation(lease),
                        context("req-" + lease, 0, new Idempotency("p", key, hash)));
    }

    @Test
    void commands_to_one_lease_are_decided_one_after_the_other() {
        LeaseId lease = ids(1).getFirst();
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                create(lease),
                                create(lease),
                                create(ids(1).getFirst()),
                                create(lease)));

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(2);
        assertThat(events(lease)).isOne();
    }

    @Test
    void a_lost_connection_fails_the_commands_without_a_retry() {
        List<LeaseId> leases = ids(3);
        List<CompletableFuture<Outcome<LeaseRejection>>> sent = new ArrayList<>();
        locked(
                () -> {
                    sent.add(start(create(leases.get(0))));
                    EventStoreDatabase.await(() -> database.waitingForTheLock() == 1);
                    sent.add(start(create(leases.get(1))));
                    sent.add(start(create(leases.get(2))));
                    EventStoreDatabase.await(
                            () -> node.getBean(GroupCommit.class).queueLength() == 2);
                    cutOffWhoWaitsForTheLock();
                    EventStoreDatabase.await(() -> sent.getFirst().isDone());
                    EventStoreDatabase.await(() -> database.waitingForTheLock() == 1);
                    cutOffWhoWaitsForTheLock();
                    EventStoreDatabase.await(
                            () -> sent.stream().allMatch(CompletableFuture::isDone));
                });

        assertThat(sent).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(leases).allMatch(lease -> events(lease) == 0);
        assertThat(create(leases.getFirst()).send()).isInstanceOf(Accepted.class);
    }

    private void cutOffWhoWaitsForTheLock() {
        jdbc.sql(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d
                            ON d.oid = database AND datname = current_database()
                        WHERE locktype = 'advisory' AND NOT granted
                        """)
                .query()
                .listOfRows();
    }

    @FunctionalInterface
    private interface Sending {
        Outcome<LeaseRejection> send();
    }

    /** Sends one command that has to wait, and then the others. */
    private List<Outcome<LeaseRejection>> grouped(List<Sending> sent) {
        List<CompletableFuture<Outcome<LeaseRejection>>> sending = new ArrayList<>();
        locked(
                () -> {
                    sending.add(start(create(ids(1).getFirst())));
                    EventStoreDatabase.await(() -> database.waitingForTheLock() == 1);
                    for (Sending each : sent) {
                        int before = node.getBean(GroupCommit.class).queueLength();
                        sending.add(start(each));
                        EventStoreDatabase.await(
                                () -> node.getBean(GroupCommit.class).queueLength() > before);
                    }
                });
        CompletableFuture.allOf(sending.toArray(CompletableFuture[]::new)).join();
        return sending.stream().skip(1).map(CompletableFuture::join).toList();
    }

    /** Holds the append lock, so that no other transaction appends meanwhile. */
    private void locked(Runnable work) {
        new TransactionTemplate(node.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(
                        _ -> {
                            jdbc.sql("SELECT pg_advisory_xact_lock(1)").query().singleRow();
                            work.run();
                        });
    }

    private static CompletableFuture<Outcome<LeaseRejection>> start(Sending sending) {
        CompletableFuture<Outcome<LeaseRejection>> outcome = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> {
                    try {
                        outcome.complete(sending.send());
                    } catch (RuntimeException e) {
                        outcome.completeExceptionally(e);
                    }
                });
        return outcome;
    }

    private Sending create(LeaseId lease) {
        return () -> send(EventSamples.creation(lease));
    }

    private Outcome<LeaseRejection> send(LeaseCommand command) {
        return commands.send(command, context("req-1", 0, null));
    }

    private static ChangeLease rename(LeaseId lease) {
        return new ChangeLease(lease, "b", null, null, null, List.of());
    }

    private static CommandContext context(String request, long second, Idempotency key) {
        return new CommandContext(
                NOW.plusSeconds(second), request, "u", "p", List.of("member"), "basic", key);
    }

    private static List<LeaseId> ids(int count) {
        return IntStream.range(0, count).mapToObj(_ -> new LeaseId(UUID.randomUUID())).toList();
    }

    private long events(LeaseId lease) {
        return number("SELECT count(*) FROM domain_event WHERE stream_id = ?", lease);
    }

    private long last(LeaseId lease) {
        return number("SELECT max(position) FROM domain_event WHERE stream_id = ?", lease);
    }

    private long number(String sql, LeaseId lease) {
        return jdbc.sql(sql).param(lease.toString()).query(Long.class).single();
    }

    private long transactions(List<LeaseId> leases) {
        return jdbc.sql(
                        """
                        SELECT count(DISTINCT xmin::text) FROM domain_event
                        WHERE stream_id IN (:streams)
                        """)
                .param("streams", leases.stream().map(LeaseId::toString).toList())
                .query(Long.class)
                .single();
    }

    private String request(LeaseId lease) {
        DomainEventMessage<?> event =
                node.getBean(NotifyingEventStore.class).readEvents(lease.toString()).next();
        return event.getMetaData().get("requestId") + " " + event.getTimestamp();
    }
}
