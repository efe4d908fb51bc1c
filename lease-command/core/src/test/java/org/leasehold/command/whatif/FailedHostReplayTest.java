package org.leasehold.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.whatif.TwoHostEvents.granted;
import static org.leasehold.command.whatif.TwoHostEvents.hour;
import static org.leasehold.command.whatif.TwoHostEvents.hours;
import static org.leasehold.command.whatif.TwoHostEvents.lease;
import static org.leasehold.command.whatif.TwoHostEvents.reservation;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.ResourceMove;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.WhatIfScenario;

import java.util.List;

/**
 * Replays a lease of host 1 from hour 1 to hour 11. The host fails at hour 3, and the lease gets
 * host 2 at hour 4. So a request of lease 2 for host 2 is refused at hour 5.
 */
class FailedHostReplayTest extends ScenarioFixture {

    private static final ResourceId FAILED = new ResourceId(1);
    private static final ResourceId OTHER = new ResourceId(2);
    private static final Tenure FIRST = new Tenure(reservation(1), 1);
    private static final Tenure SECOND = new Tenure(reservation(1), 2);

    private static TwoHostEvents replaced() {
        TwoHostEvents past = new TwoHostEvents();
        past.happen(
                1,
                hour(0),
                TwoHostEvents.requested(1, hours(1, 11), 1),
                granted(1, hours(1, 11), 1));
        past.happen(1, hour(1), new LeaseStarting(lease(1), List.of(FIRST)));
        past.happen(
                1,
                hour(1.1),
                new ReservationActivated(lease(1), reservation(1)),
                new LeaseActivated(lease(1)));
        past.happen(
                1L,
                hour(3),
                new ResourceDisabled(FAILED, "fan", List.of(lease(1)), OutageExtent.DOWN));
        past.happen(1, hour(3.1), new ResourceFailed(lease(1), reservation(1), FAILED, "fan"));
        past.happen(
                1,
                hour(4),
                granted(1, hours(4, 11), 2),
                new ReservationAdjusting(
                        lease(1),
                        SECOND,
                        List.of(OTHER),
                        TwoHostEvents.hosts(1),
                        List.of(new ResourceMove(FAILED, OTHER))));
        past.happen(
                1, hour(4.1), new ReservationAdjusted(lease(1), reservation(1), List.of(FAILED)));
        past.happen(1, hour(11), new LeaseEnding(lease(1), EndCause.WINDOW_OVER, List.of(SECOND)));
        past.happen(
                1,
                hour(11.1),
                new ReservationReleased(lease(1), reservation(1)),
                new LeaseEnded(lease(1), EndCause.WINDOW_OVER));
        return past.refused(2, 5, hours(6, 8), 1);
    }

    @Test
    void an_unchanged_scenario_replaces_the_failed_host() {
        Comparison same =
                compare(replaced(), WhatIfScenario.ofUnchanged(TwoHostEvents.START, END, 10));

        assertThat(same.changed()).isEqualTo(same.recorded());
        assertThat(same.recorded().requests().refused()).isEqualTo(1);
    }

    @Test
    void a_replacement_occupies_another_host_of_a_larger_cloud() {
        Comparison more = compare(replaced(), with(hosts(1, 3.5)));

        assertThat(more.changed().requests().refused()).isZero();
        assertThat(of(more.changed()).reserved()).isGreaterThan(of(more.recorded()).reserved());
    }
}
