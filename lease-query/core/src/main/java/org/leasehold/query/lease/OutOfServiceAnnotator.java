package org.leasehold.query.lease;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The marks of leases whose resources are out of service: failed, closed or disabled by an
 * operator. Only a failure is an event of a lease, because only lost time is credited. A lease
 * shows all of them as long as the inventory does.
 */
final class OutOfServiceAnnotator {

    /** Those that have their resources. Others get working resources when they start. */
    private static final Set<LeaseStatus> STATUSES_WITH_RESOURCES =
            Set.of(LeaseStatus.STARTING, LeaseStatus.ACTIVE, LeaseStatus.ERROR);

    /** The largest number of named resources; the others are counted. */
    private static final int MAX_NAMED_RESOURCES = 3;

    private static final String SELECT_REASONS =
            """
            SELECT resource_id, name, disabled_reason FROM resource
            WHERE resource_id = ANY (?) AND state = 'DISABLED'
            """;

    private final JdbcTemplate jdbc;

    OutOfServiceAnnotator(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the leases in the same order, marked if they have resources out of service. */
    List<LeaseView> annotate(List<LeaseView> leases) {
        Long[] held =
                leases.stream()
                        .filter(lease -> STATUSES_WITH_RESOURCES.contains(lease.status()))
                        .flatMap(lease -> lease.reservations().stream())
                        .flatMap(OutOfServiceAnnotator::resources)
                        .map(ResourceId::value)
                        .distinct()
                        .toArray(Long[]::new);
        if (held.length == 0) {
            return leases;
        }
        Map<ResourceId, String> reasons = new TreeMap<>();
        jdbc.query(
                SELECT_REASONS,
                row -> {
                    reasons.put(
                            new ResourceId(row.getLong(1)),
                            "%s is out of service (%s)"
                                    .formatted(row.getString(2), row.getString(3)));
                },
                (Object) held);
        return reasons.isEmpty()
                ? leases
                : leases.stream().map(lease -> annotated(lease, reasons)).toList();
    }

    private static Stream<ResourceId> resources(ReservationView reservation) {
        return reservation.status().isRemoved()
                ? Stream.empty()
                : reservation.allocations().stream().map(Allocation::resource);
    }

    private static LeaseView annotated(LeaseView lease, Map<ResourceId, String> reasons) {
        if (!STATUSES_WITH_RESOURCES.contains(lease.status())) {
            return lease;
        }
        SortedSet<ResourceId> down = new TreeSet<>();
        List<ReservationView> reservations = new ArrayList<>();
        for (ReservationView reservation : lease.reservations()) {
            Set<ResourceId> outOfService =
                    resources(reservation).filter(reasons::containsKey).collect(Collectors.toSet());
            down.addAll(outOfService);
            reservations.add(
                    outOfService.isEmpty() ? reservation : annotated(reservation, outOfService));
        }
        return down.isEmpty()
                ? lease
                : new LeaseView(
                        lease.id(),
                        lease.projectId(),
                        lease.userId(),
                        lease.name(),
                        lease.status(),
                        lease.period(),
                        lease.beforeEnd(),
                        Objects.requireNonNullElseGet(
                                lease.explanation(), () -> explanation(down, reasons)),
                        reservations,
                        lease.scheduledEvents(),
                        lease.createdAt(),
                        lease.updatedAt(),
                        lease.version(),
                        lease.retries(),
                        lease.onFailure());
    }

    private static ReservationView annotated(
            ReservationView reservation, Set<ResourceId> outOfService) {
        SortedSet<ResourceId> down = new TreeSet<>(outOfService);
        down.addAll(Objects.requireNonNullElse(reservation.down(), List.of()));
        return new ReservationView(
                reservation.id(),
                reservation.kind(),
                reservation.status(),
                reservation.parameters(),
                reservation.allocations(),
                reservation.cloudIds(),
                reservation.missingResources(),
                reservation.resourcesChanged(),
                List.copyOf(down),
                reservation.createdAt(),
                reservation.updatedAt());
    }

    private static String explanation(SortedSet<ResourceId> down, Map<ResourceId, String> reasons) {
        String named =
                down.stream()
                        .limit(MAX_NAMED_RESOURCES)
                        .map(reasons::get)
                        .collect(Collectors.joining("; "));
        int others = down.size() - MAX_NAMED_RESOURCES;
        return others > 0
                ? "%s; and %s more.".formatted(named, Integer.toString(others))
                : named + ".";
    }
}
