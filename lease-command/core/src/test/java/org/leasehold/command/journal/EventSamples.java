package org.leasehold.command.journal;

import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.lease.UseObserved;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Samples of every event, with every kind of value. */
public final class EventSamples {

    static final LeaseId LEASE = LeaseId.of("6f1c1b5e-7d1e-4e0a-9c55-0c6d2f0b1a01");
    static final ReservationId RESERVATION =
            ReservationId.of("6f1c1b5e-7d1e-4e0a-9c55-0c6d2f0b1a02");
    static final ProjectId PROJECT = new ProjectId("b9e0f3a2c1d44b5f8a7e6d5c4b3a2918");
    static final UserId USER = new UserId("0a1b2c3d4e5f60718293a4b5c6d7e8f9");
    public static final LeasePeriod PERIOD =
            new LeasePeriod(
                    Instant.parse("2030-01-01T10:00:00Z"),
                    Instant.parse("2030-01-01T12:30:00.123456Z"));

    private static final Instant BEFORE_END = Instant.parse("2030-01-01T11:30:00Z");
    private static final ResourceId RESOURCE = new ResourceId(7);
    private static final ResourceId OTHER = new ResourceId(9_007_199_254_740_993L);
    private static final Tenure TENURE = new Tenure(RESERVATION, 42);
    private static final Allocation ALLOCATION =
            new Allocation(RESOURCE, "compute-7", Map.of("vcpus", "64", "gpu", "ja, grün"));

    private EventSamples() {}

    static ReservationWish wish() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("min", 1);
        parameters.put("max", 3_000_000_000L);
        parameters.put("share", new BigDecimal("0.10"));
        parameters.put("exact", true);
        parameters.put("resource_properties", "[\"==\", \"$gpu\", \"ja, grün\"]");
        parameters.put("tags", Arrays.asList("a", null, 1));
        parameters.put("nested", Map.of("depth", 2));
        parameters.put("before_end", null);
        return new ReservationWish(RESERVATION, ResourceKind.PHYSICAL_HOST, parameters);
    }

    private static Shortage shortage() {
        return new Shortage(
                RESERVATION,
                ResourceKind.PHYSICAL_HOST,
                3,
                2,
                1,
                new LeasePeriod(PERIOD.start(), BEFORE_END),
                0,
                Instant.parse("2030-01-02T00:00:00Z"));
    }

    private static LeasePast past() {
        return new LeasePast(
                LeasePast.Stage.ACTIVE,
                null,
                List.of(
                        new LeasePast.OfReservation(
                                RESERVATION,
                                LeasePast.Stage.ACTIVE,
                                Map.of("aggregate_id", 7),
                                false,
                                true,
                                Instant.parse("2029-12-24T08:00:00Z"),
                                PERIOD.start())),
                List.of(
                        new LeasePast.OfStep(
                                LeasePast.OfStep.Step.START,
                                UUID.fromString("6f1c1b5e-7d1e-4e0a-9c55-0c6d2f0b1a03"),
                                LeasePast.OfStep.Status.DONE,
                                Instant.parse("2029-12-24T08:00:00Z"),
                                PERIOD.start())),
                Instant.parse("2029-12-24T08:00:00Z"),
                PERIOD.start());
    }

    static List<Object> events() {
        return List.of(
                new LeaseRequested(
                        LEASE,
                        PROJECT,
                        USER,
                        "gpu week",
                        PERIOD,
                        BEFORE_END,
                        List.of(wish()),
                        null),
                new LeaseRefused(
                        LEASE,
                        PROJECT,
                        USER,
                        "",
                        PERIOD,
                        null,
                        List.of(wish()),
                        List.of(shortage()),
                        17,
                        null),
                new LeaseRetryScheduled(
                        LEASE,
                        PROJECT,
                        USER,
                        "gpu week",
                        PERIOD,
                        BEFORE_END,
                        List.of(wish()),
                        new RetryPlan(
                                1,
                                3,
                                Duration.ofMinutes(5),
                                Instant.parse("2030-01-01T09:05:00Z"),
                                Instant.parse("2030-01-01T10:01:00Z")),
                        List.of(shortage()),
                        17,
                        null),
                new ReservationGranted(
                        LEASE, RESERVATION, PERIOD, Duration.ofMinutes(90), List.of(ALLOCATION)),
                new LeaseImported(LEASE, past(), List.of(TENURE)),
                new LeaseRenamed(LEASE, "gpu month"),
                new LeaseRescheduled(LEASE, PERIOD, null),
                new ReservationChanged(LEASE, RESERVATION, wish().parameters()),
                new ReservationAdded(LEASE, wish()),
                new ReservationRemoved(LEASE, RESERVATION, TENURE),
                new LeaseChangeRefused(LEASE, PERIOD, List.of(wish()), List.of(shortage()), 18),
                new LeaseDelayed(LEASE, List.of(RESERVATION), "compute-7 is still in use"),
                new ResourceReplaced(
                        LEASE, RESERVATION, OTHER, ALLOCATION, "compute-8 is in maintenance"),
                new LeaseStarting(LEASE, List.of(TENURE)),
                new ReservationActivated(LEASE, RESERVATION),
                new LeaseActivated(LEASE),
                new ReservationAdjusting(LEASE, TENURE, List.of(OTHER), List.of(ALLOCATION)),
                new ReservationAdjusted(LEASE, RESERVATION, List.of(RESOURCE)),
                new ReservationFailed(
                        LEASE,
                        RESERVATION,
                        Action.START,
                        new Fault(Fault.Kind.DENIED, "the aggregate is not ours")),
                new ResourceFailed(LEASE, RESERVATION, RESOURCE, "The cloud: it is down"),
                new ResourceRecovered(LEASE, RESERVATION, RESOURCE),
                new LeaseEndAnnounced(LEASE),
                new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)),
                new ReservationReleased(LEASE, RESERVATION),
                new LeaseEnded(LEASE, EndCause.WINDOW_OVER),
                new LeaseDeleted(LEASE),
                new ResourceEnrolled(
                        RESOURCE,
                        ResourceKind.PHYSICAL_HOST,
                        "compute-7",
                        "RegionOne",
                        null,
                        wish().parameters(),
                        Map.of("gpu", "a100")),
                new ResourceChanged(RESOURCE, Map.of("gpu", "h100"), Set.of("rack", "age")),
                new ResourceDescribed(RESOURCE, null, "nova", wish().parameters(), List.of(LEASE)),
                new ResourceDisabled(RESOURCE, "new fans", List.of(LEASE)),
                new ResourceEnabled(RESOURCE),
                new ResourceRetired(RESOURCE),
                new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "gpu", true),
                new UseObserved(LEASE, PROJECT, RESERVATION, RESOURCE, 3, 12));
    }

    public static CreateLease creation(LeaseId id) {
        return new CreateLease(
                id,
                PROJECT,
                USER,
                "a",
                PERIOD.start(),
                PERIOD.end(),
                null,
                List.of(wish()),
                null,
                null);
    }
}
