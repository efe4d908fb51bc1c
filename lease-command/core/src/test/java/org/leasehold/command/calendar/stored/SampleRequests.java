package org.leasehold.command.calendar.stored;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Sample requests to the calendar. */
public final class SampleRequests {

    public static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final ProjectId PROJECT = new ProjectId("p1");

    private SampleRequests() {}

    public static LeasePeriod hours(int from, int to) {
        return new LeasePeriod(NOON.plus(Duration.ofHours(from)), NOON.plus(Duration.ofHours(to)));
    }

    public static Demand hosts(int minimum, int maximum) {
        return hosts(minimum, maximum, Requirement.none());
    }

    public static Demand hosts(int minimum, int maximum, Requirement requirement) {
        return new Demand.Whole(
                ResourceKind.PHYSICAL_HOST,
                minimum,
                maximum,
                requirement,
                Demand.Selection.FIRST_FIT);
    }

    /** Returns a demand of hosts that must include the hosts with these names. */
    public static Demand hosts(int count, String... required) {
        return new Demand.Whole(
                ResourceKind.PHYSICAL_HOST,
                count,
                count,
                Requirement.none(),
                Demand.Selection.FIRST_FIT,
                List.of(required));
    }

    /** Returns a demand of slots with this number of cores; hosts have 64. */
    public static Demand slots(int count, long cores, Demand.Spread spread) {
        return new Demand.Shared(
                ResourceKind.PHYSICAL_HOST,
                count,
                Map.of("VCPU", cores),
                Requirement.none(),
                spread);
    }

    public static Demand slots(int count, long cores) {
        return slots(count, cores, Demand.Spread.ANYWHERE);
    }

    /** Returns the number of slots by host. */
    public static Map<Long, Integer> slots(List<Allocation> allocations) {
        Map<Long, Integer> slots = new LinkedHashMap<>();
        allocations.forEach(a -> slots.put(a.resource().value(), a.slots()));
        return slots;
    }

    public static Requirement having(String property, String value) {
        return new Requirement.Comparison(Requirement.Operator.EQUAL, property, value);
    }

    public static SampleLease lease(LeasePeriod period, Demand... demands) {
        List<ReservationId> ids = new ArrayList<>();
        Arrays.stream(demands).forEach(_ -> ids.add(new ReservationId(UUID.randomUUID())));
        return new SampleLease(new LeaseId(UUID.randomUUID()), period, List.of(demands), ids);
    }

    static List<Long> ids(List<Allocation> allocations) {
        return allocations.stream().map(a -> a.resource().value()).toList();
    }

    /** A sample lease, with its demands and reservations. */
    public record SampleLease(
            LeaseId id,
            LeasePeriod period,
            List<Demand> demands,
            List<ReservationId> reservations) {

        public ReservationId reservation() {
            return reservations.getFirst();
        }

        public Hold hold() {
            List<Wanted> wanted = new ArrayList<>();
            for (int i = 0; i < demands.size(); i++) {
                wanted.add(
                        new Wanted(reservations.get(i), demands.get(i), period, List.of(), false));
            }
            return new Hold(id, PROJECT, wanted);
        }

        /** Returns a request of the same lease for another demand or window. */
        public Hold change(
                LeasePeriod newPeriod, Demand demand, List<Long> current, boolean running) {
            return new Hold(
                    id,
                    PROJECT,
                    List.of(
                            new Wanted(
                                    reservation(),
                                    demand,
                                    newPeriod,
                                    current.stream().map(ResourceId::new).toList(),
                                    running)));
        }

        /** Returns a request of the same lease, which runs, for one more reservation. */
        Hold join(Demand further, List<Long> current) {
            return join(current, further);
        }

        /**
         * Returns a request of the same lease, which runs, for a reservation of several demands.
         */
        Hold join(List<Long> current, Demand... further) {
            List<Wanted> wanted =
                    new ArrayList<>(change(period, demands.getFirst(), current, true).wanted());
            Arrays.stream(further)
                    .forEach(
                            demand ->
                                    wanted.add(
                                            new Wanted(joiner(), demand, period, List.of(), true)));
            return new Hold(id, PROJECT, wanted);
        }

        ReservationId joiner() {
            return new ReservationId(id.value());
        }

        public TakeUp takeUp(Grant held) {
            List<Granted> granted = new ArrayList<>();
            for (int i = 0; i < demands.size(); i++) {
                granted.add(
                        new Granted(
                                reservations.get(i),
                                List.of(demands.get(i)),
                                period,
                                ((Grant.Held) held).allocations().get(reservations.get(i))));
            }
            return new TakeUp(id, PROJECT, granted, false);
        }
    }
}
