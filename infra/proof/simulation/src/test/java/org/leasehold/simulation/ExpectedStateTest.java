package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
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

/** Tests the expected state of a running reservation whose host no longer matches its filter. */
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
                                                "[\"==\", \"$vcpus\", \"64\"]")))),
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
