package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the expected state of reservations whose hosts no longer match, and of retried leases. */
class ExpectedStateTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final ResourceId HOST = new ResourceId(1);
    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));

    private final List<String> complaints = new ArrayList<>();
    private final ExpectedState book = new ExpectedState(complaints::add);

    @Test
    void a_mismatched_host_is_accepted_only_within_the_granted_period() {
        book.apply(
                new ResourceEnrolled(
                        HOST,
                        ResourceKind.PHYSICAL_HOST,
                        "compute-1",
                        null,
                        null,
                        Map.of("vcpus", 64),
                        Map.of()));
        book.apply(
                new LeaseRequested(
                        LEASE,
                        new ProjectId("project-1"),
                        new UserId("user-1"),
                        "nightly",
                        hours(2),
                        null,
                        List.of(
                                new ReservationWish(
                                        RESERVATION,
                                        ResourceKind.PHYSICAL_HOST,
                                        Map.of(
                                                "min",
                                                1,
                                                "max",
                                                1,
                                                "hypervisor_properties",
                                                "",
                                                "resource_properties",
                                                "[\"==\", \"$vcpus\", \"64\"]"))),
                        null),
                NOON,
                NOON);
        grant(2);
        book.apply(new LeaseStarting(LEASE, List.of(new Tenure(RESERVATION, 1))), NOON, NOON);
        book.apply(new ResourceDescribed(HOST, null, null, Map.of("vcpus", 32), List.of(LEASE)));

        grant(1);
        assertThat(complaints).isEmpty();
        grant(3);
        assertThat(complaints).singleElement().asString().contains("not what it asked for");
    }

    @Test
    void a_grant_beyond_the_window_of_a_retry_is_a_violation() {
        LeasePeriod window = new LeasePeriod(NOON.plusSeconds(60), NOON.plusSeconds(7200));
        RetryPlan plan =
                new RetryPlan(
                        1, 2, Duration.ofSeconds(30), NOON.plusSeconds(30), NOON.plusSeconds(120));
        book.apply(retried(window, plan), NOON, NOON);
        book.apply(requested(window), NOON.plusSeconds(120), NOON.plusSeconds(120));
        assertThat(complaints).singleElement().asString().contains("was granted beyond its window");
    }

    @Test
    void a_planned_attempt_beyond_the_window_is_a_violation() {
        LeasePeriod window = new LeasePeriod(NOON, NOON.plusSeconds(60));
        book.apply(
                retried(
                        window,
                        new RetryPlan(1, 2, Duration.ofSeconds(60), window.end(), window.end())),
                NOON,
                NOON);
        assertThat(complaints)
                .singleElement()
                .asString()
                .contains("an attempt follows beyond the window");
    }

    private static final LeasePeriod WINDOW =
            new LeasePeriod(NOON.plusSeconds(3600), NOON.plusSeconds(7200));

    /** Applies a refused attempt within a plan of three attempts, every ten minutes. */
    private void refuse(Instant at, int attempt, int left, @Nullable Integer early, Instant next) {
        book.apply(
                retried(
                        WINDOW,
                        new RetryPlan(
                                attempt,
                                left,
                                Duration.ofMinutes(10),
                                next,
                                NOON.plusSeconds(3660),
                                early,
                                early == null ? null : at)),
                at,
                at);
    }

    @Test
    void an_early_attempt_that_counts_is_a_violation() {
        Instant next = NOON.plusSeconds(600);
        refuse(NOON, 1, 3, null, next);
        refuse(NOON.plusSeconds(60), 1, 3, 1, next);
        assertThat(complaints).isEmpty();

        refuse(NOON.plusSeconds(120), 2, 2, 2, next);
        assertThat(complaints).singleElement().asString().contains("an early attempt counts");
    }

    @Test
    void more_early_attempts_than_planned_ones_are_a_violation() {
        Instant next = NOON.plusSeconds(600);
        refuse(NOON, 1, 1, null, next);
        refuse(NOON.plusSeconds(60), 1, 1, 1, next);
        refuse(NOON.plusSeconds(120), 1, 1, 2, next);
        assertThat(complaints).singleElement().asString().contains("early attempt 1 follows");
    }

    @Test
    void an_early_attempt_that_refuses_for_good_is_a_violation() {
        refuse(NOON, 1, 1, null, NOON.plusSeconds(600));
        book.apply(
                new LeaseRefused(
                        LEASE,
                        new ProjectId("project-1"),
                        new UserId("user-1"),
                        "nightly",
                        WINDOW,
                        null,
                        List.of(),
                        List.of(),
                        2,
                        null),
                NOON.plusSeconds(60),
                NOON.plusSeconds(60));
        assertThat(complaints).singleElement().asString().contains("refused for good too early");
    }

    private static LeaseRetryScheduled retried(LeasePeriod window, RetryPlan plan) {
        return new LeaseRetryScheduled(
                LEASE,
                new ProjectId("project-1"),
                new UserId("user-1"),
                "nightly",
                window,
                null,
                List.of(),
                plan,
                List.of(),
                1,
                null);
    }

    private static LeaseRequested requested(LeasePeriod window) {
        return new LeaseRequested(
                LEASE,
                new ProjectId("project-1"),
                new UserId("user-1"),
                "nightly",
                window,
                null,
                List.of(),
                null);
    }

    private void grant(int hours) {
        book.apply(
                new ReservationGranted(
                        LEASE,
                        RESERVATION,
                        hours(hours),
                        Duration.ZERO,
                        List.of(new Allocation(HOST, "compute-1", Map.of()))),
                NOON,
                NOON);
    }

    private static LeasePeriod hours(int count) {
        return new LeasePeriod(NOON, NOON.plus(Duration.ofHours(count)));
    }
}
