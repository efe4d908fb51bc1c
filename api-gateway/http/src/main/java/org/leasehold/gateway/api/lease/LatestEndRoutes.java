package org.leasehold.gateway.api.lease;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.leasehold.gateway.api.lease.LeaseResponses.LatestLeaseEnd;
import org.leasehold.gateway.security.Caller;
import org.leasehold.readmodel.capacity.LatestEnds;
import org.leasehold.readmodel.capacity.LatestEnds.LatestEnd;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The route of the latest end that a lease can have. */
@RestController
@Tag(name = "leases")
class LatestEndRoutes {

    /** The statuses of leases that cannot be prolonged. */
    private static final Set<LeaseStatus> FIXED =
            Set.of(
                    LeaseStatus.RETRYING,
                    LeaseStatus.ENDING,
                    LeaseStatus.ENDED,
                    LeaseStatus.DELETING);

    private final Leases leases;
    private final LatestEnds latestEnds;
    private final Clock clock;

    LatestEndRoutes(Leases leases, LatestEnds latestEnds, Clock clock) {
        this.leases = leases;
        this.latestEnds = latestEnds;
        this.clock = clock;
    }

    @Operation(
            operationId = "showLatestEnd",
            summary = "Show the latest end of a lease",
            description =
                    "The end up to which you can prolong the lease with the resources that it has."
                        + " The next booking of one of them limits it. Another booking may come"
                        + " before your change. While the lease starts, it cannot change. A lease"
                        + " that is over or retrying keeps its end. The operator's maximum duration"
                        + " of leases is not considered.")
    @GetMapping("/api/leases/{id}/latest-end")
    LatestLeaseEnd show(@AuthenticationPrincipal Caller caller, @PathVariable("id") UUID id) {
        LeaseView lease =
                LeaseProblems.requireFound(leases.find(new LeaseId(id), caller.readScope()));
        Instant end = lease.period().end();
        boolean isFixed = FIXED.contains(lease.status()) || !end.isAfter(clock.instant());
        return LatestLeaseEnd.of(
                lease,
                isFixed
                        ? new LatestEnd(end, null)
                        : latestEnds.find(lease.id(), present(lease), end));
    }

    private static Set<ReservationId> present(LeaseView lease) {
        return lease.reservations().stream()
                .filter(reservation -> !reservation.status().isRemoved())
                .map(ReservationView::id)
                .collect(Collectors.toSet());
    }
}
