package org.leasehold.runtime.moving;

import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The properties of a lease that must be the same in Blazar and here.
 *
 * @param resources the slots by resource, for each reservation
 */
record ComparedLease(
        LeaseStatus status,
        LeasePeriod period,
        Map<ReservationId, Map<String, Integer>> resources) {

    static ComparedLease of(ImportableLease lease) {
        return new ComparedLease(
                status(lease.past().stage()),
                lease.period(),
                lease.reservations().stream()
                        .collect(
                                Collectors.toMap(
                                        reservation -> reservation.wish().id(),
                                        reservation -> new TreeMap<>(reservation.slots()))));
    }

    static ComparedLease of(LeaseView lease) {
        return new ComparedLease(
                lease.status(),
                lease.period(),
                lease.reservations().stream()
                        .collect(Collectors.toMap(ReservationView::id, ComparedLease::slots)));
    }

    private static Map<String, Integer> slots(ReservationView reservation) {
        return reservation.allocations().stream()
                .collect(
                        Collectors.toMap(
                                Allocation::name, Allocation::slots, Integer::sum, TreeMap::new));
    }

    private static LeaseStatus status(Stage stage) {
        return switch (stage) {
            case PENDING -> LeaseStatus.PENDING;
            case ACTIVE -> LeaseStatus.ACTIVE;
            case FAILED -> LeaseStatus.ERROR;
            case ENDED -> LeaseStatus.ENDED;
        };
    }

    @Override
    public String toString() {
        return "%s from %s to %s with %s"
                .formatted(status, period.start(), period.end(), resources.values());
    }
}
