package org.leasehold.gateway.api.resource;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.PageSize;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ListAllocations;
import org.leasehold.readmodel.resource.Resources.Part;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The query parameters of a list of allocations. */
@ParameterObject
record AllocationQuery(
        @RequestParam(name = "kind") String kind,
        @RequestParam(name = "resource_id", required = false) @Min(1) @Nullable Long resourceId,
        @RequestParam(name = "lease_id", required = false) @Nullable UUID leaseId,
        @RequestParam(name = "reservation_id", required = false) @Nullable UUID reservationId,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "marker", required = false) @Pattern(regexp = "[1-9][0-9]{0,17}")
                @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "1000") @Min(1) @Max(PageSize.MAX) int limit) {

    Page<ResourceCalendar> page(Resources resources, ResourceKind ofKind, Instant now) {
        LeaseId lease = leaseId == null ? null : new LeaseId(leaseId);
        ReservationId reservation = reservationId == null ? null : new ReservationId(reservationId);
        Instant start = from == null ? now : from;
        ResourceId after = marker == null ? null : new ResourceId(Long.parseLong(marker));
        if (resourceId != null) {
            ResourceId only = new ResourceId(resourceId);
            // One resource is one page.
            return after != null && after.compareTo(only) >= 0
                    ? new Page<>(List.of(), null)
                    : new Page<>(
                            resources.allocations(ofKind, only, lease, reservation, start), null);
        }
        return resources.page(
                new ListAllocations(
                        ofKind,
                        lease,
                        reservation,
                        start,
                        new Part(SortDirection.ASCENDING, after, limit)));
    }
}
