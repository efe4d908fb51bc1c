package org.leasehold.saga.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.TENURE;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.Tenure;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;

import java.util.List;

class ActivationTest {

    @Test
    void every_reservation_of_a_starting_lease_is_started() {
        Tenure other = new Tenure(reservation(12), 6);

        assertThat(Activation.react(new LeaseStarting(LEASE, List.of(TENURE, other))))
                .containsExactly(
                        new Reaction.Submit(new PluginTask.Start(LEASE, TENURE)),
                        new Reaction.Submit(new PluginTask.Start(LEASE, other)));
    }

    @Test
    void a_running_reservation_that_changes_is_adjusted() {
        assertThat(
                        Activation.react(
                                new ReservationAdjusting(
                                        LEASE, TENURE, List.of(), List.of(NODE_1))))
                .containsExactly(
                        new Reaction.Submit(new PluginTask.Adjust(LEASE, TENURE, List.of(NODE_1))));
    }
}
