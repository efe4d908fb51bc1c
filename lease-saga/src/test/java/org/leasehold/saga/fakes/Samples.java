package org.leasehold.saga.fakes;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.saga.Cause;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Values for tests. */
public final class Samples {

    public static final LeaseId LEASE = lease(1);
    public static final ReservationId RESERVATION = reservation(11);
    public static final Tenure TENURE = new Tenure(RESERVATION, 5);
    public static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    public static final LeasePeriod PERIOD = new LeasePeriod(NOON, NOON.plusSeconds(3600));
    public static final Allocation NODE_1 = new Allocation(new ResourceId(1), "node1", Map.of());
    public static final Cause CAUSE = new Cause("event-1", "req-1", NOON);

    private Samples() {}

    public static LeaseId lease(int number) {
        return new LeaseId(new UUID(0, number));
    }

    public static ReservationId reservation(int number) {
        return new ReservationId(new UUID(1, number));
    }

    /** Returns a lease of hosts. */
    public static LeaseView view(LeaseId lease, LeasePeriod period, ReservationId... reservations) {
        return new LeaseView(
                lease,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "telescope",
                LeaseStatus.ACTIVE,
                period,
                null,
                null,
                Arrays.stream(reservations).map(r -> view(r, period.start())).toList(),
                List.of(),
                period.start(),
                null,
                1,
                null,
                null);
    }

    /** Returns an active reservation without allocations. */
    public static ReservationView active(
            ReservationId id,
            ResourceKind kind,
            Map<String, @Nullable Object> parameters,
            Instant created) {
        return new ReservationView(
                id,
                kind,
                ReservationView.Status.ACTIVE,
                parameters,
                List.of(),
                null,
                false,
                false,
                null,
                created,
                null);
    }

    private static ReservationView view(ReservationId reservation, Instant created) {
        return new ReservationView(
                reservation,
                ResourceKind.PHYSICAL_HOST,
                ReservationView.Status.ACTIVE,
                Map.of("min", 1),
                List.of(NODE_1),
                null,
                false,
                false,
                null,
                created,
                null);
    }
}
