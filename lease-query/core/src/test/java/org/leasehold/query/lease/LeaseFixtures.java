package org.leasehold.query.lease;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Events and values for tests of leases. */
final class LeaseFixtures {

    static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final LeasePeriod PERIOD =
            new LeasePeriod(NOON.plus(Duration.ofHours(1)), NOON.plus(Duration.ofHours(5)));
    static final Instant BEFORE_END = NOON.plus(Duration.ofHours(4));
    static final ProjectId ASTRONOMY = new ProjectId("astronomy");
    static final ProjectId BIOLOGY = new ProjectId("biology");
    static final UserId ADA = new UserId("ada");

    private LeaseFixtures() {}

    static LeaseId lease(long number) {
        return new LeaseId(new UUID(1, number));
    }

    static ReservationId reservation(long number) {
        return new ReservationId(new UUID(2, number));
    }

    static Allocation host(long number) {
        return new Allocation(
                new ResourceId(number),
                "compute-" + number,
                Map.of("vcpus", "64", "gpu", "V100", "rack", "r" + number));
    }

    static ReservationWish hosts(ReservationId id, int min, int max) {
        return new ReservationWish(
                id,
                ResourceKind.PHYSICAL_HOST,
                Map.of(
                        "min",
                        min,
                        "max",
                        max,
                        "resource_properties",
                        "[\"==\", \"$gpu\", \"V100\"]"));
    }

    static LeaseRequested requested(
            LeaseId id, ProjectId project, String name, ReservationWish... wishes) {
        return new LeaseRequested(
                id, project, ADA, name, PERIOD, BEFORE_END, List.of(wishes), null);
    }

    static ReservationGranted granted(LeaseId lease, ReservationId id, Allocation... hosts) {
        return new ReservationGranted(lease, id, PERIOD, Duration.ZERO, List.of(hosts));
    }
}
