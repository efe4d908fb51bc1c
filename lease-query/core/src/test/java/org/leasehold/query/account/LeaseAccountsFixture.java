package org.leasehold.query.account;

import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.vocabulary.Tenure;

import java.util.Arrays;
import java.util.List;

/** Events that decide about the time of a lease. */
abstract class LeaseAccountsFixture {

    static final LeaseEvent ACTIVATED = new ReservationActivated(LEASE, R);

    static LeaseEvent adjusting(List<Long> joining, Allocation... leaving) {
        return new ReservationAdjusting(
                LEASE,
                new Tenure(R, 2),
                joining.stream().map(ResourceId::new).toList(),
                List.of(leaving));
    }

    static LeaseEvent adjusted(long... left) {
        return new ReservationAdjusted(
                LEASE, R, Arrays.stream(left).mapToObj(ResourceId::new).toList());
    }

    static LeaseEvent failed(Action action) {
        return new ReservationFailed(
                LEASE, R, action, new Fault(Fault.Kind.PERMANENT, "it is broken"));
    }

    static LeaseEvent down(long host) {
        return new ResourceFailed(LEASE, R, new ResourceId(host), "it is down");
    }
}
