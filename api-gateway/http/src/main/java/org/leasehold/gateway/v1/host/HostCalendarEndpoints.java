package org.leasehold.gateway.v1.host;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.gateway.v1.http.V1Query;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ListAllocations;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Endpoints of the allocations of hosts. */
@RestController
class HostCalendarEndpoints {

    /** An id without allocations, for queries whose id is malformed. */
    private static final UUID NO_MATCH = new UUID(0, 0);

    private static final String LEASE = "lease_id";
    private static final String RESERVATION = "reservation_id";

    private final Resources resources;
    private final Clock clock;

    HostCalendarEndpoints(Resources resources, Clock clock) {
        this.resources = resources;
        this.clock = clock;
    }

    @LongRead
    @GetMapping("/v1/os-hosts/allocations")
    ResponseEntity<byte[]> list(
            @AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        V1Query query = new V1Query(request);
        ListAllocations question =
                new ListAllocations(
                        ResourceKind.PHYSICAL_HOST,
                        lease(query),
                        reservation(query),
                        from(query),
                        HostIds.requestedPart(query, "resource_id"));
        return V1Json.pageResponse(
                "allocations",
                resources.page(question),
                calendar -> HostRendering.allocation(visibleTo(caller, calendar)),
                query);
    }

    @GetMapping("/v1/os-hosts/{id}/allocation")
    ResponseEntity<byte[]> show(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") String id,
            HttpServletRequest request) {
        V1Query query = new V1Query(request);
        ResourceCalendar calendar =
                HostIds.parse(id).stream()
                        .flatMap(host -> calendars(host, query).stream())
                        .findFirst()
                        .orElseThrow(() -> V1Exception.notFound("host_id", id));
        return V1Json.response(
                200, Map.of("allocation", HostRendering.allocation(visibleTo(caller, calendar))));
    }

    /** Removes the leases of other projects, which do not exist for members and readers. */
    private static ResourceCalendar visibleTo(Caller caller, ResourceCalendar calendar) {
        ProjectId own = caller.readScope();
        return own == null
                ? calendar
                : new ResourceCalendar(
                        calendar.resource(),
                        calendar.name(),
                        calendar.holdings().stream()
                                .filter(holding -> holding.project().equals(own))
                                .toList());
    }

    private List<ResourceCalendar> calendars(ResourceId host, V1Query query) {
        return resources.allocations(
                ResourceKind.PHYSICAL_HOST, host, lease(query), reservation(query), from(query));
    }

    private static @Nullable LeaseId lease(V1Query query) {
        return query.hasText(LEASE) ? new LeaseId(uuid(query.parameter(LEASE))) : null;
    }

    private static @Nullable ReservationId reservation(V1Query query) {
        return query.hasText(RESERVATION)
                ? new ReservationId(uuid(query.parameter(RESERVATION)))
                : null;
    }

    /** Returns the start of the query: all time if it names a lease or a reservation, else now. */
    private Instant from(V1Query query) {
        boolean filtered = query.hasText(LEASE) || query.hasText(RESERVATION);
        return filtered ? Instant.EPOCH : clock.instant();
    }

    private static UUID uuid(@Nullable String text) {
        try {
            return text == null ? NO_MATCH : UUID.fromString(text);
        } catch (IllegalArgumentException noUuid) {
            return NO_MATCH;
        }
    }
}
