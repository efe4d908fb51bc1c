package org.leasehold.gateway.api.lease;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.problem.Problem.Shortfall;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.LatestEnds.LatestEnd;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.wire.event.EventDetails;
import org.leasehold.wire.lease.LeaseDocuments.AllocatedResource;
import org.leasehold.wire.lease.LeaseDocuments.Lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Responses about leases and the calendar. */
public final class LeaseResponses {

    private LeaseResponses() {}

    /** A page of leases; {@code next} is the marker of the next page, if any. */
    record LeasePage(List<Lease> leases, @Nullable String next) {}

    /** The events of a lease, in order; {@code next} is the marker of the next page, if any. */
    record History(List<HistoryEvent> events, @Nullable String next) {}

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
                    EventDetails.redact(entry.details(), inventoryToo, redactor));
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

    /**
     * The latest end of a lease.
     *
     * @param end the present end
     * @param latestEnd never before the present end; left out if no booking limits it
     * @param resourceId the resource that another booking needs then, or that is out of service;
     *     left out if there is none
     * @param resourceName the name of that resource
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record LatestLeaseEnd(
            UUID leaseId,
            Instant end,
            @Nullable Instant latestEnd,
            @Nullable Long resourceId,
            @Nullable String resourceName) {

        static LatestLeaseEnd of(LeaseView lease, LatestEnd latest) {
            ResourceId resource = latest.limitedBy();
            return new LatestLeaseEnd(
                    lease.id().value(),
                    lease.period().end(),
                    latest.at(),
                    resource == null ? null : resource.value(),
                    lease.reservations().stream()
                            .flatMap(reservation -> reservation.allocations().stream())
                            .filter(allocation -> allocation.resource().equals(resource))
                            .map(Allocation::name)
                            .findFirst()
                            .orElse(null));
        }
    }

    /** The earliest feasible starts, in order. */
    public record Openings(List<Opening> openings) {}

    /**
     * A period of feasible starts.
     *
     * @param start the first feasible start
     * @param end the first start that is not feasible any more
     * @param free how many resources are free throughout, for the first feasible start
     */
    public record Opening(
            @FormerName("from") Instant start, @FormerName("until") Instant end, int free) {

        public static Opening of(Availability.Opening opening) {
            return new Opening(
                    opening.starts().start(),
                    TimeParser.clamp(opening.starts().end()),
                    opening.free());
        }
    }
}
