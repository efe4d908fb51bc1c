package org.leasehold.command.whatif;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The similarity of two decisions. */
enum DecisionSimilarity {
    /** Equal, with the same resources. */
    SAME,
    /** Equal except for the resources: the lease continues in the same way. */
    SAME_COURSE,
    OTHERWISE;

    static DecisionSimilarity of(List<LeaseEvent> recorded, List<LeaseEvent> changed) {
        if (exact(recorded).equals(exact(changed))) {
            return SAME;
        }
        return course(recorded).equals(course(changed)) ? SAME_COURSE : OTHERWISE;
    }

    private static List<Object> exact(List<LeaseEvent> events) {
        return events.stream()
                .map(
                        event ->
                                switch (event) {
                                    case ReservationGranted it ->
                                            List.of(
                                                    it.reservationId(),
                                                    micros(it.period()),
                                                    parts(it.allocations()));
                                    case ResourceReplaced it ->
                                            List.of(
                                                    it.reservationId(),
                                                    it.replaced(),
                                                    it.replacement().resource());
                                    case ReservationAdjusting it ->
                                            List.of(
                                                    it.tenure().reservation(),
                                                    Set.copyOf(it.joining()),
                                                    parts(it.leaving()).keySet());
                                    case LeaseEvent other -> course(other);
                                })
                .map(Object.class::cast)
                .toList();
    }

    private static List<Object> course(List<LeaseEvent> events) {
        return events.stream()
                .filter(event -> !(event instanceof ResourceReplaced))
                .map(DecisionSimilarity::course)
                .toList();
    }

    /** Ignores the generation of tenures. */
    private static Object course(LeaseEvent event) {
        return switch (event) {
            case ReservationGranted it -> List.of(it.reservationId(), micros(it.period()));
            case LeaseRescheduled it -> micros(it.period());
            case LeaseEnding it -> it.cause();
            case LeaseStarting it ->
                    it.tenures().stream().map(Tenure::reservation).collect(Collectors.toSet());
            case ReservationAdjusting it -> it.tenure().reservation();
            case ReservationRemoved it -> List.of(it.getClass(), it.reservationId());
            case LeaseEvent other -> other.getClass();
        };
    }

    /** Truncates to microseconds, the precision of stored decision times. */
    private static List<Instant> micros(LeasePeriod period) {
        return List.of(
                period.start().truncatedTo(ChronoUnit.MICROS),
                period.end().truncatedTo(ChronoUnit.MICROS));
    }

    private static Map<ResourceId, Optional<Share>> parts(List<Allocation> allocations) {
        Map<ResourceId, Optional<Share>> parts = new HashMap<>();
        allocations.forEach(each -> parts.put(each.resource(), Optional.ofNullable(each.share())));
        return parts;
    }
}
