package org.leasehold.gateway.api.lease;

import io.swagger.v3.oas.annotations.media.Schema;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.problem.Problem.Shortfall;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.resource.Planning.Nested;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Responses about leases and the calendar. */
public final class LeaseResponses {

    private LeaseResponses() {}

    /**
     * A lease.
     *
     * @param start of the agreed window; an early end does not change it
     * @param beforeEnd when the end is announced
     * @param explanation why the lease is delayed, in error or degraded
     * @param degraded whether a reservation lacks resources, or got others than at first
     * @param version rises with every event of the lease; its entity tag
     */
    public record Lease(
            UUID id,
            String name,
            String projectId,
            String userId,
            @Schema(description = LeaseStage.TABLE) LeaseStage status,
            Instant start,
            Instant end,
            @Nullable Instant beforeEnd,
            @Nullable String explanation,
            boolean degraded,
            List<Reservation> reservations,
            List<ScheduledEvent> scheduledEvents,
            Instant createdAt,
            @Nullable Instant updatedAt,
            long version) {

        public static Lease of(LeaseView view, PluginFacade kinds) {
            return of(view, kinds, LeaseStage.of(view.status()));
        }

        /** Returns a lease for the response to a command: after its start, it is to be started. */
        static Lease of(LeaseView view, PluginFacade kinds, Instant now) {
            boolean isDue =
                    view.status() == LeaseStatus.PENDING && !view.period().start().isAfter(now);
            return of(view, kinds, isDue ? LeaseStage.TO_BE_STARTED : LeaseStage.of(view.status()));
        }

        private static Lease of(LeaseView view, PluginFacade kinds, LeaseStage stage) {
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
                    view.reservations().stream().map(r -> Reservation.of(r, kinds)).toList(),
                    view.scheduledEvents().stream().map(ScheduledEvent::of).toList(),
                    view.createdAt(),
                    view.updatedAt(),
                    view.version());
        }
    }

    /** A page of leases, oldest first; {@code next} is the marker of the next page, if any. */
    record LeasePage(List<Lease> leases, @Nullable String next) {}

    /**
     * A reservation of one kind of resource.
     *
     * @param parameters those of the request, completed by the engine
     * @param allocations its current allocations
     * @param cloudIds the ids of what the cloud created for it; empty for none
     * @param reservations those within it, such as a stack's servers
     */
    record Reservation(
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

        private static Reservation of(ReservationView view, PluginFacade kinds) {
            return new Reservation(
                    view.id().value(),
                    view.kind().value(),
                    ReservationStage.of(view.status()),
                    kinds.redactParameters(view.parameters()),
                    view.allocations().stream().map(AllocatedResource::of).toList(),
                    Objects.requireNonNullElse(view.cloudIds(), Map.of()),
                    kinds.nested(view).stream()
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
    record NestedReservation(
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
    record AllocatedResource(long id, String name, int slots) {

        private static AllocatedResource of(Allocation allocation) {
            return new AllocatedResource(
                    allocation.resource().value(), allocation.name(), allocation.slots());
        }
    }

    /** A timed step of a lease's life. */
    record ScheduledEvent(
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

    /** All events of a lease, in order. */
    record History(List<HistoryEvent> events) {}

    /**
     * An event of a lease: when, who, what and why.
     *
     * @param position its position in the event log
     * @param userId null for events that the engine itself began
     * @param causation the event that caused it
     * @param reason the caller's own words
     * @param details the event's own fields
     */
    public record HistoryEvent(
            long position,
            long sequence,
            Instant recordedAt,
            String type,
            @Nullable String userId,
            @Nullable String projectId,
            List<String> roles,
            @Nullable String requestId,
            @Nullable String causation,
            @Nullable String reason,
            Map<String, @Nullable Object> details) {

        /**
         * Returns an event.
         *
         * @param inventoryToo whether to include properties of resources, some of which are hidden
         * @param redactor redacts parameters
         */
        static HistoryEvent of(
                HistoryEntry entry,
                boolean inventoryToo,
                UnaryOperator<Map<String, @Nullable Object>> redactor) {
            return new HistoryEvent(
                    entry.position(),
                    entry.sequence(),
                    entry.recordedAt(),
                    entry.type(),
                    entry.user(),
                    entry.project(),
                    entry.roles(),
                    entry.requestId(),
                    entry.causation(),
                    entry.reason(),
                    redactDetails(entry.details(), inventoryToo, redactor));
        }

        /** Redacts the event's own fields; as above. */
        public static Map<String, @Nullable Object> redactDetails(
                Map<String, @Nullable Object> all,
                boolean inventoryToo,
                UnaryOperator<Map<String, @Nullable Object>> redactor) {
            Map<String, @Nullable Object> details = withoutSecrets(all, redactor);
            return inventoryToo ? details : withoutInventory(details);
        }

        private static Map<String, @Nullable Object> withoutSecrets(
                Map<String, @Nullable Object> details,
                UnaryOperator<Map<String, @Nullable Object>> redactor) {
            Map<String, @Nullable Object> all = new LinkedHashMap<>();
            details.forEach((name, value) -> all.put(name, withoutSecrets(name, value, redactor)));
            return all;
        }

        @SuppressWarnings("unchecked")
        private static @Nullable Object withoutSecrets(
                String name,
                @Nullable Object value,
                UnaryOperator<Map<String, @Nullable Object>> redactor) {
            return switch (value) {
                case Map<?, ?> fields when name.equals("parameters") ->
                        redactor.apply((Map<String, @Nullable Object>) fields);
                case Map<?, ?> fields ->
                        withoutSecrets((Map<String, @Nullable Object>) fields, redactor);
                case List<?> items ->
                        items.stream().map(item -> withoutSecrets(name, item, redactor)).toList();
                case null, default -> value;
            };
        }

        private static Map<String, @Nullable Object> withoutInventory(Map<?, ?> details) {
            Map<String, @Nullable Object> visible = new LinkedHashMap<>();
            details.forEach(
                    (name, value) -> {
                        if (!(name.equals("properties") && details.containsKey("resource"))) {
                            visible.put(String.valueOf(name), withoutInventory(value));
                        }
                    });
            return visible;
        }

        private static @Nullable Object withoutInventory(@Nullable Object value) {
            return switch (value) {
                case Map<?, ?> fields -> withoutInventory(fields);
                case List<?> items -> items.stream().map(HistoryEvent::withoutInventory).toList();
                case null, default -> value;
            };
        }
    }

    /**
     * The result of a lease if it were requested now.
     *
     * @param accepted whether the calendar could hold it
     * @param grants the reservations that it would get; none when it is not accepted
     * @param shortages why it is not accepted; none when it is
     */
    record DryRun(boolean accepted, List<Grant> grants, List<Shortfall> shortages) {}

    /**
     * The grant of a reservation.
     *
     * @param cleaning how much longer the resources are reserved, to clean them
     */
    record Grant(
            String kind,
            Instant start,
            Instant end,
            Duration cleaning,
            List<AllocatedResource> resources) {

        static Grant of(String kind, ReservationGranted granted) {
            return new Grant(
                    kind,
                    granted.period().start(),
                    granted.period().end(),
                    granted.cleaning(),
                    granted.allocations().stream().map(AllocatedResource::of).toList());
        }
    }

    /** The earliest feasible starts, in order. */
    public record Openings(List<Opening> openings) {}

    /**
     * A period of feasible starts.
     *
     * @param from the first feasible start
     * @param until the first start that is not feasible any more
     * @param free how many resources are free throughout, starting at {@code from}
     */
    public record Opening(Instant from, Instant until, int free) {

        public static Opening of(Availability.Opening opening) {
            return new Opening(
                    opening.starts().start(),
                    TimeParser.clamp(opening.starts().end()),
                    opening.free());
        }
    }
}
