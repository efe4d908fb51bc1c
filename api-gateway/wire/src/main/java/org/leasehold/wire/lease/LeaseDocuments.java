package org.leasehold.wire.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.lease.LeaseRetries;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.resource.Planning.Nested;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The documents of leases. */
public final class LeaseDocuments {

    private LeaseDocuments() {}

    /**
     * A lease.
     *
     * @param start of the agreed window; an early end does not change it
     * @param beforeEnd when the end is announced
     * @param explanation why the lease is retried, delayed, in error or degraded
     * @param degraded whether a reservation lacks resources, or got others than at first
     * @param attempts the newest refused attempts to create it, oldest first; empty if it was
     *     granted at once
     * @param nextAttemptAt when the engine tries to create it again
     * @param onFailure what happens if a reservation fails to start
     * @param version rises with every event of the lease; its entity tag
     */
    public record Lease(
            UUID id,
            String name,
            String projectId,
            String userId,
            LeaseStage status,
            Instant start,
            Instant end,
            @Nullable Instant beforeEnd,
            @Nullable String explanation,
            boolean degraded,
            List<Reservation> reservations,
            List<ScheduledEvent> scheduledEvents,
            List<Attempt> attempts,
            @Nullable Instant nextAttemptAt,
            OnFailure onFailure,
            Instant createdAt,
            @Nullable Instant updatedAt,
            long version) {

        public static Lease of(LeaseView view, PluginRendering plugins) {
            return of(view, plugins, LeaseStage.of(view.status()));
        }

        /** Returns a lease for the response to a command: after its start, it is to be started. */
        public static Lease of(LeaseView view, PluginRendering plugins, Instant now) {
            boolean isDue =
                    view.status() == LeaseStatus.PENDING && !view.period().start().isAfter(now);
            return of(
                    view, plugins, isDue ? LeaseStage.TO_BE_STARTED : LeaseStage.of(view.status()));
        }

        private static Lease of(LeaseView view, PluginRendering plugins, LeaseStage stage) {
            return new Lease(
                    view.id().value(),
                    view.name(),
                    view.projectId().value(),
                    view.userId().value(),
                    stage,
                    view.period().start(),
                    view.period().end(),
                    view.beforeEnd(),
                    view.explanation(),
                    view.degraded(),
                    view.reservations().stream().map(r -> Reservation.of(r, plugins)).toList(),
                    view.scheduledEvents().stream().map(ScheduledEvent::of).toList(),
                    Attempt.of(view),
                    view.retries() == null ? null : view.retries().nextAttemptAt(),
                    OnFailure.of(view.onFailure()),
                    view.createdAt(),
                    view.updatedAt(),
                    view.version());
        }
    }

    /**
     * A refused attempt to create a lease.
     *
     * @param at when it was decided
     * @param reasons the reservations that the calendar could not hold
     */
    public record Attempt(Instant at, List<AttemptReason> reasons) {

        private static List<Attempt> of(LeaseView view) {
            LeaseRetries retries = view.retries();
            return retries == null
                    ? List.of()
                    : retries.attempts().stream().map(attempt -> of(attempt, view)).toList();
        }

        private static Attempt of(LeaseRetries.Attempt attempt, LeaseView view) {
            return new Attempt(
                    attempt.at(),
                    attempt.shortages().stream()
                            .map(shortage -> AttemptReason.of(shortage, view))
                            .toList());
        }
    }

    /**
     * The reason why the calendar could not hold a reservation.
     *
     * @param kind the requested kind; for a stack, the kind of the part that was short
     * @param matching how many resources met the requirement at all
     * @param free how many of them were free throughout the window
     * @param missing how many were missing in the window
     * @param start the start of the part of the window in which the fewest were free
     * @param end the end of that part; exclusive
     * @param freeInPart how many were free throughout that part
     */
    public record AttemptReason(
            UUID reservationId,
            String kind,
            int wanted,
            int matching,
            int free,
            int missing,
            Instant start,
            Instant end,
            int freeInPart) {

        private static AttemptReason of(Shortage shortage, LeaseView view) {
            return new AttemptReason(
                    shortage.reservation().value(),
                    view.reservation(shortage.reservation())
                            .map(ReservationView::kind)
                            .orElse(shortage.kind())
                            .value(),
                    shortage.wanted(),
                    shortage.matching(),
                    shortage.free(),
                    shortage.missing(),
                    shortage.part().start(),
                    shortage.part().end(),
                    shortage.freeInPart());
        }
    }

    /**
     * A reservation of one kind of resource.
     *
     * @param parameters those of the request, completed by the engine
     * @param allocations its current allocations
     * @param cloudIds the ids of what the cloud created for it; empty for none
     * @param reservations those within it, such as a stack's servers
     */
    public record Reservation(
            UUID id,
            String kind,
            ReservationStage status,
            Map<String, @Nullable Object> parameters,
            List<AllocatedResource> allocations,
            Map<String, Object> cloudIds,
            List<NestedReservation> reservations,
            boolean missingResources,
            boolean resourcesChanged,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        private static Reservation of(ReservationView view, PluginRendering plugins) {
            return new Reservation(
                    view.id().value(),
                    view.kind().value(),
                    ReservationStage.of(view.status()),
                    plugins.redactParameters(view.parameters()),
                    view.allocations().stream().map(AllocatedResource::of).toList(),
                    Objects.requireNonNullElse(view.cloudIds(), Map.of()),
                    plugins.nested(view).stream()
                            .map(nested -> NestedReservation.of(nested, view.status()))
                            .toList(),
                    view.lacksResources(),
                    view.resourcesChanged(),
                    view.createdAt(),
                    view.updatedAt());
        }
    }

    /**
     * A reservation within another one, with which it starts and ends.
     *
     * @param name its name in the outer one
     * @param parameters its needs, in the words of its kind
     */
    public record NestedReservation(
            UUID id,
            String kind,
            String name,
            ReservationStage status,
            Map<String, @Nullable Object> parameters) {

        private static NestedReservation of(Nested nested, ReservationView.Status status) {
            return new NestedReservation(
                    nested.id().value(),
                    nested.kind().value(),
                    nested.name(),
                    ReservationStage.of(status),
                    nested.fields());
        }
    }

    /**
     * An allocated resource. Its properties are left out: some are the operator's secret.
     *
     * @param slots how many slots of it are allocated; 1 if it is allocated as a whole
     */
    public record AllocatedResource(long id, String name, int slots) {

        public static AllocatedResource of(Allocation allocation) {
            return new AllocatedResource(
                    allocation.resource().value(), allocation.name(), allocation.slots());
        }
    }

    /** A timed step of a lease's life. */
    public record ScheduledEvent(
            UUID id,
            ScheduledStep type,
            ScheduledStepStatus status,
            Instant time,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        private static ScheduledEvent of(ScheduledEventView view) {
            return new ScheduledEvent(
                    view.id(),
                    ScheduledStep.of(view.type()),
                    ScheduledStepStatus.of(view.status()),
                    view.time(),
                    view.createdAt(),
                    view.updatedAt());
        }
    }
}
