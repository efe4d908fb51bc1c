package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.query.Resources;
import org.leasehold.query.Resources.ResourceCalendar;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Which reservations hold which hosts. */
@RestController
class HostCalendarEndpoints {

    /** Held by nobody: what an id that is none asks for. */
    private static final UUID NOBODY = new UUID(0, 0);

    private final Resources resources;
    private final Clock clock;

    HostCalendarEndpoints(Resources resources, Clock clock) {
        this.resources = resources;
        this.clock = clock;
    }

    @GetMapping("/v1/os-hosts/allocations")
    ResponseEntity<byte[]> list(
            @RequestParam(name = "lease_id", required = false) @Nullable String lease,
            @RequestParam(name = "reservation_id", required = false) @Nullable String reservation) {
        return V1Json.answer(
                200,
                Map.of(
                        "allocations",
                        calendars(null, lease, reservation).stream()
                                .map(HostRendering::allocation)
                                .toList()));
    }

    @GetMapping("/v1/os-hosts/{id}/allocation")
    ResponseEntity<byte[]> show(
            @PathVariable("id") String id,
            @RequestParam(name = "lease_id", required = false) @Nullable String lease,
            @RequestParam(name = "reservation_id", required = false) @Nullable String reservation) {
        ResourceCalendar calendar =
                HostIds.parse(id).stream()
                        .flatMap(host -> calendars(host, lease, reservation).stream())
                        .findFirst()
                        .orElseThrow(() -> V1Failure.notFound("host_id", id));
        return V1Json.answer(200, Map.of("allocation", HostRendering.allocation(calendar)));
    }

    private List<ResourceCalendar> calendars(
            @Nullable ResourceId host, @Nullable String lease, @Nullable String reservation) {
        boolean filtered = isGiven(lease) || isGiven(reservation);
        return resources.allocations(
                ResourceKind.PHYSICAL_HOST,
                host,
                isGiven(lease) ? new LeaseId(uuid(lease)) : null,
                isGiven(reservation) ? new ReservationId(uuid(reservation)) : null,
                filtered ? Instant.EPOCH : clock.instant());
    }

    private static boolean isGiven(@Nullable String value) {
        return value != null && !value.isEmpty();
    }

    private static UUID uuid(@Nullable String text) {
        try {
            return text == null ? NOBODY : UUID.fromString(text);
        } catch (IllegalArgumentException noUuid) {
            return NOBODY;
        }
    }
}
