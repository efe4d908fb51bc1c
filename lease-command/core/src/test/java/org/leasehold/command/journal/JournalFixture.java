package org.leasehold.command.journal;

import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.command.execution.TestAggregate;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Two nodes on one database, and a lease of each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JournalFixture {

    static final Instant NOW = Instant.parse("2030-01-01T09:59:00.123456Z");

    private final AtomicInteger decisions = new AtomicInteger();

    final EventStoreDatabase database = new EventStoreDatabase();
    final AnnotationConfigApplicationContext node = database.node(TestAggregate.shell(decisions));
    private final AnnotationConfigApplicationContext otherNode =
            database.node(TestAggregate.shell(decisions));

    final Commands commands = node.getBean(Commands.class);
    final Commands elsewhere = otherNode.getBean(Commands.class);
    final NotifyingEventStore journal = node.getBean(NotifyingEventStore.class);
    final PostgresEventStorageEngine engine = node.getBean(PostgresEventStorageEngine.class);
    LeaseId lease;

    @BeforeEach
    void createLeaseId() {
        lease = new LeaseId(UUID.randomUUID());
    }

    @AfterAll
    void stop() throws IOException {
        otherNode.close();
        node.close();
        database.close();
    }

    Outcome<LeaseRejection> send(LeaseCommand command) {
        return commands.send(command, context(null));
    }

    ChangeLease rename(String name) {
        return new ChangeLease(lease, name, null, null, null, List.of());
    }

    static CommandContext context(Idempotency key) {
        return context(key, NOW);
    }

    static CommandContext context(Idempotency key, Instant now) {
        return new CommandContext(now, "req-1", "u", "p", List.of("member"), "basic", key);
    }

    List<LeaseEvent> events(LeaseId id) {
        return journal.readEvents(id.toString())
                .asStream()
                .map(event -> (LeaseEvent) event.getPayload())
                .toList();
    }

    List<Long> stored(long after) {
        return engine.readEvents(new GlobalSequenceTrackingToken(after), false)
                .map(TrackedEventMessage::trackingToken)
                .map(token -> token.position().orElseThrow())
                .toList();
    }

    long last(long before) {
        return stored(before).getLast();
    }

    static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
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
