package org.leasehold.saga.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.TENURE;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.ReservationId;
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

    @Test
    void a_lease_that_begins_to_wait_tries_again_because_the_release_may_just_have_happened() {
        assertThat(Waiting.forNobody().react(delayedBy(reservation(1)), NOON))
                .containsExactly(Reaction.start(LEASE, NOON));
    }

    @Test
    void a_lease_that_still_waits_for_the_same_does_not_try_again_by_itself() {
        Waiting waiting = Waiting.forNobody().after(delayedBy(reservation(1), reservation(2)));

        assertThat(waiting.react(delayedBy(reservation(2)), NOON)).isEmpty();
        assertThat(waiting.react(delayedBy(reservation(2), reservation(3)), NOON))
                .containsExactly(Reaction.start(LEASE, NOON));
    }

    private static LeaseDelayed delayedBy(ReservationId... awaited) {
        return new LeaseDelayed(LEASE, List.of(awaited), "node1 is not free yet");
    }
}
