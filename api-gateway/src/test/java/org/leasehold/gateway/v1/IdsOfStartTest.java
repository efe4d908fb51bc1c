package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.UserId;
import org.leasehold.query.HistoryEntry;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases;
import org.leasehold.query.Page;
import org.leasehold.query.ReservationView;
import org.leasehold.query.ReservationView.Status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

@Timeout(60)
class IdsOfStartTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:30Z");
    private static final Instant MINUTE = Instant.parse("2030-01-01T00:00:00Z");
    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;
    private static final ResourceKind OTHER = new ResourceKind("virtual:network");
    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicInteger looks = new AtomicInteger();

    private LeaseView await(Duration longest, LeaseView created, Supplier<LeaseView> now) {
        return ids(longest, now).await(created, NOW);
    }

    private IdsOfStart ids(Duration longest, Supplier<LeaseView> now) {
        return new IdsOfStart(
                new LeasesInMotion(
                        () -> {
                            looks.incrementAndGet();
                            return now.get();
                        }),
                new PluginsOnPaper(),
                longest);
    }

    @Test
    void an_answer_waits_until_the_reservation_has_its_ids() {
        LeaseView created = lease(MINUTE, LeaseStatus.PENDING, HOST, Status.PENDING);
        LeaseView delayed = lease(MINUTE, LeaseStatus.DELAYED, HOST, Status.PENDING);
        LeaseView starting = lease(MINUTE, LeaseStatus.STARTING, HOST, Status.PENDING);
        LeaseView active = lease(MINUTE, LeaseStatus.ACTIVE, HOST, Status.ACTIVE);
        List<LeaseView> life = List.of(created, delayed, starting, active);

        assertThat(await(LONG, created, () -> life.get(looks.get()))).isSameAs(active);
    }

    @Test
    void an_answer_does_not_wait_for_what_gets_no_more_ids() {
        LeaseView created = lease(MINUTE, LeaseStatus.STARTING, HOST, Status.PENDING);
        LeaseView failed = lease(MINUTE, LeaseStatus.ERROR, HOST, Status.ERROR);
        assertThat(await(LONG, created, () -> failed)).isSameAs(failed);
    }

    @Test
    void an_answer_to_what_needs_no_ids_now_does_not_wait() {
        for (LeaseView created :
                List.of(
                        lease(NOW.plusSeconds(1), LeaseStatus.PENDING, HOST, Status.PENDING),
                        lease(MINUTE, LeaseStatus.PENDING, OTHER, Status.PENDING),
                        lease(MINUTE, LeaseStatus.ACTIVE, HOST, Status.ACTIVE))) {
            assertThat(await(LONG, created, () -> created)).isSameAs(created);
        }
        LeaseView created = lease(MINUTE, LeaseStatus.PENDING, HOST, Status.PENDING);
        assertThat(await(Duration.ZERO, created, () -> created)).isSameAs(created);

        assertThat(looks).hasValue(0);
    }

    @Test
    void an_answer_waits_no_longer_than_the_setting_says() {
        LeaseView created = lease(MINUTE, LeaseStatus.PENDING, HOST, Status.PENDING);
        assertThat(await(Duration.ofMillis(30), created, () -> created)).isSameAs(created);
        assertThat(looks).hasPositiveValue();
    }

    @Test
    void an_answer_does_not_wait_where_as_many_wait_as_may() throws Exception {
        LeaseView created = lease(MINUTE, LeaseStatus.PENDING, HOST, Status.PENDING);
        LeaseView active = lease(MINUTE, LeaseStatus.ACTIVE, HOST, Status.ACTIVE);
        CountDownLatch waiting = new CountDownLatch(IdsOfStart.MOST_WAITING);
        CountDownLatch started = new CountDownLatch(1);
        IdsOfStart ids =
                ids(
                        LONG,
                        () -> {
                            waiting.countDown();
                            awaitUninterruptibly(started);
                            return active;
                        });
        try (ExecutorService threads = Executors.newFixedThreadPool(IdsOfStart.MOST_WAITING)) {
            List<Future<LeaseView>> answers = new ArrayList<>();
            for (int i = 0; i < IdsOfStart.MOST_WAITING; i++) {
                answers.add(threads.submit(() -> ids.await(created, NOW)));
            }
            waiting.await();

            assertThat(ids.await(created, NOW)).isSameAs(created);

            started.countDown();
            for (Future<LeaseView> answer : answers) {
                assertThat(answer.get()).isSameAs(active);
            }
        }
        assertThat(ids.await(created, NOW)).isSameAs(active);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static LeaseView lease(
            Instant start, LeaseStatus status, ResourceKind kind, Status reservation) {
        return new LeaseView(
                new LeaseId(new UUID(0, 1)),
                new ProjectId("p1"),
                new UserId("u1"),
                "nightly",
                status,
                new LeasePeriod(start, NOW.plusSeconds(3600)),
                null,
                null,
                List.of(
                        new ReservationView(
                                new ReservationId(new UUID(0, 2)),
                                kind,
                                reservation,
                                Map.of(),
                                List.of(),
                                null,
                                false,
                                false,
                                null,
                                NOW,
                                null)),
                List.of(),
                NOW,
                null,
                1);
    }

    /** A single lease whose state changes. */
    private record LeasesInMotion(Supplier<LeaseView> lease) implements Leases {

        @Override
        public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
            throw new UnsupportedOperationException("a new lease is read where it is written");
        }

        @Override
        public Optional<LeaseView> findWritten(LeaseId id, @Nullable ProjectId project) {
            return Optional.of(lease.get());
        }

        @Override
        public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Page<LeaseView> list(ListLeases question) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Page<LeaseView> list(ListLeases question, long asOf) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
            throw new UnsupportedOperationException();
        }
    }
}
