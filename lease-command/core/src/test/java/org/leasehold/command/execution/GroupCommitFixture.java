package org.leasehold.command.execution;

import org.axonframework.eventhandling.DomainEventMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.command.journal.NotifyingEventStore;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A node whose commands form a group: a test holds the append lock while it sends them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GroupCommitFixture {

    static final Instant NOW = Instant.parse("2030-01-01T09:59:00Z");

    final EventStoreDatabase database = new EventStoreDatabase();
    final AnnotationConfigApplicationContext node =
            database.node(TestAggregate.shell(new AtomicInteger()));
    final Commands commands = node.getBean(Commands.class);
    final JdbcClient jdbc = database.jdbc();

    CompletableFuture<Outcome<LeaseRejection>> start(Sending sending) {
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

    @AfterAll
    void stop() throws IOException {
        node.close();
        database.close();
    }

    Sending refused(LeaseId lease) {
        return () -> send(new EndLease(lease, EndCause.REQUESTED));
    }

    @FunctionalInterface
    interface Sending {
        Outcome<LeaseRejection> send();
    }

    /** Sends one command that has to wait, and then the others. */
    List<Outcome<LeaseRejection>> grouped(List<Sending> sent) {
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
    void locked(Runnable work) {
        new TransactionTemplate(node.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(
                        _ -> {
                            jdbc.sql("SELECT pg_advisory_xact_lock(1)").query().singleRow();
                            work.run();
                        });
    }

    Sending create(LeaseId lease) {
        return () -> send(EventSamples.creation(lease));
    }

    Outcome<LeaseRejection> send(LeaseCommand command) {
        return commands.send(command, context("req-1", 0, null));
    }

    static ChangeLease rename(LeaseId lease) {
        return new ChangeLease(lease, "b", null, null, null, List.of());
    }

    CommandContext context(String request, long second, Idempotency key) {
        return new CommandContext(
                NOW.plusSeconds(second), request, "u", "p", List.of("member"), "basic", key);
    }

    static List<LeaseId> ids(int count) {
        return IntStream.range(0, count).mapToObj(_ -> new LeaseId(UUID.randomUUID())).toList();
    }

    long events(LeaseId lease) {
        return number("SELECT count(*) FROM domain_event WHERE stream_id = ?", lease);
    }

    long last(LeaseId lease) {
        return number("SELECT max(position) FROM domain_event WHERE stream_id = ?", lease);
    }

    private long number(String sql, LeaseId lease) {
        return jdbc.sql(sql).param(lease.toString()).query(Long.class).single();
    }

    long transactions(List<LeaseId> leases) {
        return jdbc.sql(
                        """
                        SELECT count(DISTINCT xmin::text) FROM domain_event
                        WHERE stream_id IN (:streams)
                        """)
                .param("streams", leases.stream().map(LeaseId::toString).toList())
                .query(Long.class)
                .single();
    }

    String request(LeaseId lease) {
        DomainEventMessage<?> event =
                node.getBean(NotifyingEventStore.class).readEvents(lease.toString()).next();
        return event.getMetaData().get("requestId") + " " + event.getTimestamp();
    }
}
