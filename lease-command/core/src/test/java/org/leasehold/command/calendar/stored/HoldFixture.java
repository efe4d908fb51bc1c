package org.leasehold.command.calendar.stored;

import static org.leasehold.command.calendar.stored.SampleRequests.ids;

import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Grant;

import java.util.List;

/** A calendar of whole resources, and the resources that it grants. */
abstract class HoldFixture extends CalendarContract {

    List<Shortage> shortages(SampleRequests.SampleLease lease) {
        return ((Grant.HoldRefused) settle(lease.hold())).shortages();
    }

    List<Long> held(SampleRequests.SampleLease lease) {
        return ids(((Grant.Held) settle(lease.hold())).allocations().get(lease.reservation()));
    }
}
