package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.gateway.v1.FakeCloudPlugins;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ReservationView.Status;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

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
class CloudIdWaitTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:30Z");
    private static final Instant MINUTE = Instant.parse("2030-01-01T00:00:00Z");
    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;
    private static final ResourceKind OTHER = new ResourceKind("virtual:network");
    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicInteger looks = new AtomicInteger();

    private LeaseView await(Duration longest, LeaseView created, Supplier<LeaseView> now) {
        return ids(longest, now).awaitCloudIds(created, NOW);
    }

    private CloudIdWait ids(Duration longest, Supplier<LeaseView> now) {
        return new CloudIdWait(
                new LeasesInMotion(
                        () -> {
                            looks.incrementAndGet();
                            return now.get();
                        }),
                new FakeCloudPlugins(),
                longest);
    }

    @Test
    void an_answer_waits_until_the_reservation_is_active() {
        LeaseView created = lease(MINUTE, LeaseStatus.PENDING, HOST, Status.PENDING);
        LeaseView delayed = lease(MINUTE, LeaseStatus.DELAYED, HOST, Status.PENDING);
        LeaseView starting = lease(MINUTE, LeaseStatus.STARTING, HOST, Status.PENDING);
        LeaseView active = lease(MINUTE, LeaseStatus.ACTIVE, HOST, Status.ACTIVE);
        List<LeaseView> life = List.of(created, delayed, starting, active);

        assertThat(await(LONG, created, () -> life.get(looks.get()))).isSameAs(active);
    }

    @Test
    void a_failed_reservation_ends_the_wait() {
        LeaseView created = lease(MINUTE, LeaseStatus.STARTING, HOST, Status.PENDING);
        LeaseView failed = lease(MINUTE, LeaseStatus.ERROR, HOST, Status.ERROR);
        assertThat(await(LONG, created, () -> failed)).isSameAs(failed);
    }

    @Test
    void an_answer_that_needs_no_cloud_ids_does_not_wait() {
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
    void an_answer_waits_no_longer_than_the_configured_time() {
        LeaseView created = lease(MINUTE, LeaseStatus.PENDING, HOST, Status.PENDING);
        assertThat(await(Duration.ofMillis(30), created, () -> created)).isSameAs(created);
        assertThat(looks).hasPositiveValue();
    }

    @Test
    void an_answer_does_not_wait_at_the_concurrency_limit() throws Exception {
        LeaseView created = lease(MINUTE, LeaseStatus.PENDING, HOST, Status.PENDING);
        LeaseView active = lease(MINUTE, LeaseStatus.ACTIVE, HOST, Status.ACTIVE);
        CountDownLatch waiting = new CountDownLatch(CloudIdWait.MAX_WAITING);
        CountDownLatch started = new CountDownLatch(1);
        CloudIdWait ids =
                ids(
                        LONG,
                        () -> {
                            waiting.countDown();
                            awaitUninterruptibly(started);
                            return active;
                        });
        try (ExecutorService threads = Executors.newFixedThreadPool(CloudIdWait.MAX_WAITING)) {
            List<Future<LeaseView>> answers = new ArrayList<>();
            for (int i = 0; i < CloudIdWait.MAX_WAITING; i++) {
                answers.add(threads.submit(() -> ids.awaitCloudIds(created, NOW)));
            }
            waiting.await();

            assertThat(ids.awaitCloudIds(created, NOW)).isSameAs(created);

            started.countDown();
            for (Future<LeaseView> answer : answers) {
                assertThat(answer.get()).isSameAs(active);
            }
        }
        assertThat(ids.awaitCloudIds(created, NOW)).isSameAs(active);
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
                1,
                null,
                null);
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
