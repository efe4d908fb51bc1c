package org.leasehold.command.calendar.stored;

import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.util.List;
import java.util.Map;

/** A calendar of hosts that leases share; the hosts have 64 cores. */
abstract class ShareFixture extends CalendarContract {

    /** Returns a request for a larger first slot of a lease of two slots, which runs on host 1. */
    static CalendarRequest.Hold grown(SampleRequests.SampleLease lease, long cores) {
        List<ResourceId> current = List.of(new ResourceId(1));
        return new CalendarRequest.Hold(
                lease.id(),
                SampleRequests.PROJECT,
                List.of(
                        new CalendarRequest.Wanted(
                                lease.reservations().get(0),
                                slots(1, cores),
                                lease.period(),
                                current,
                                true),
                        new CalendarRequest.Wanted(
                                lease.reservations().get(1),
                                slots(1, 20),
                                lease.period(),
                                current,
                                true)));
    }

    /** Returns a demand of one slot with this number of cores. */
    static Demand where(long cores, Requirement requirement) {
        return new Demand.Shared(
                ResourceKind.PHYSICAL_HOST,
                1,
                Map.of("VCPU", cores),
                requirement,
                Demand.Spread.ANYWHERE);
    }

    Map<Long, Integer> held(SampleRequests.SampleLease lease) {
        return slots(((Grant.Held) settle(lease.hold())).allocations().get(lease.reservation()));
    }
}
