package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection.AlreadyEnrolled;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The commands to resources at the same time. */
class ConcurrentInventoryTest extends PostgresInventoryFixture {

    @Test
    void one_of_several_concurrent_enrolments_of_a_name_is_accepted() throws Exception {
        List<ResourceDecision> decisions =
                atOnce(
                        IntStream.rangeClosed(1, 16)
                                .mapToObj(
                                        id ->
                                                (Callable<ResourceDecision>)
                                                        () -> enrol(id, "compute-7", Map.of()))
                                .toList());

        assertThat(decisions).filteredOn(Accepted.class::isInstance).hasSize(1);
        assertThat(decisions)
                .filteredOn(Rejected.class::isInstance)
                .hasSize(15)
                .containsOnly(
                        new Rejected(new AlreadyEnrolled(ResourceKind.PHYSICAL_HOST, "compute-7")));
    }

    private static <T> List<T> atOnce(List<Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        CountDownLatch ready = new CountDownLatch(tasks.size());
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> task : tasks) {
                running.add(
                        threads.submit(
                                () -> {
                                    ready.countDown();
                                    ready.await();
                                    return task.call();
                                }));
            }
            for (Future<T> task : running) {
                results.add(task.get());
            }
        }
        return results;
    }

    @Test
    void concurrent_enrolments_may_add_the_same_properties() throws Exception {
        List<String> names = IntStream.range(0, 12).mapToObj(i -> "property-" + i).toList();
        List<Callable<ResourceDecision>> enrolments = new ArrayList<>();
        for (int id = 1; id <= 16; id++) {
            ResourceId resource = new ResourceId(id);
            Map<String, String> capabilities = new HashMap<>();
            names.forEach(name -> capabilities.put(name, "x"));
            enrolments.add(() -> enrol(resource.value(), capabilities));
        }

        assertThat(atOnce(enrolments)).allMatch(Accepted.class::isInstance);
        assertThat(properties()).containsOnlyKeys(names);
    }

    @Test
    void a_retirement_waits_for_a_concurrent_grant_and_is_then_rejected() throws Exception {
        enrol(7, Map.of());
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<ResourceDecision> retirement =
                    database.inTransaction(
                            () -> {
                                database.jdbc
                                        .sql("SELECT name FROM resource FOR KEY SHARE")
                                        .query(String.class)
                                        .single();
                                database.claim(
                                        new ResourceId(7),
                                        NIGHTLY,
                                        NOW.plusSeconds(60),
                                        NOW.plusSeconds(120));
                                Future<ResourceDecision> waiting =
                                        threads.submit(
                                                () -> send(new RetireResource(new ResourceId(7))));
                                awaitTransactionBlockedByThis();
                                return waiting;
                            });

            assertThat(retirement.get())
                    .isEqualTo(
                            new Rejected(
                                    new ResourceReserved(
                                            new ResourceId(7), List.of(new LeaseId(NIGHTLY)))));
        }
    }

    private void awaitTransactionBlockedByThis() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!database.jdbc
                .sql(
                        """
                        SELECT EXISTS (SELECT FROM pg_locks
                                       WHERE NOT granted
                                         AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))
                        """)
                .query(Boolean.class)
                .single()) {
            assertThat(System.nanoTime() - end).isNegative();
            Thread.onSpinWait();
        }
    }
}
