package org.leasehold.saga.termination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;

import java.util.List;

class TerminationTest {

    private final Termination termination = new Termination(_ -> List.of(RESERVATION));

    @Test
    void an_announced_end_submits_a_task_before_the_end() {
        assertThat(termination.react(new LeaseEndAnnounced(LEASE)))
                .containsExactly(new Reaction.Submit(new PluginTask.BeforeEnd(LEASE, RESERVATION)));
    }

    @Test
    void an_ending_lease_submits_the_end_of_a_tenure() {
        assertThat(termination.react(new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE))))
                .containsExactly(new Reaction.Submit(new PluginTask.End(LEASE, TENURE)));
    }

    @Test
    void a_removed_reservation_submits_the_end_of_the_tenure() {
        assertThat(termination.react(new ReservationRemoved(LEASE, RESERVATION, TENURE)))
                .containsExactly(new Reaction.Submit(new PluginTask.End(LEASE, TENURE)));
        assertThat(termination.react(new ReservationRemoved(LEASE, RESERVATION, null))).isEmpty();
    }

    @Test
    void a_release_withdraws_the_tasks_of_the_reservation() {
        assertThat(termination.react(new ReservationReleased(LEASE, RESERVATION)))
                .containsExactly(new Reaction.Withdraw(RESERVATION));
    }
}
