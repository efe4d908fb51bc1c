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
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;

import java.util.List;

class TerminationTest {

    private final Termination termination = new Termination(_ -> List.of(RESERVATION));

    @Test
    void active_reservations_hear_of_the_end_before_it_comes() {
        assertThat(termination.react(new LeaseEndAnnounced(LEASE)))
                .containsExactly(new Reaction.Submit(new PluginTask.BeforeEnd(LEASE, RESERVATION)));
    }

    @Test
    void what_an_ending_lease_had_taken_up_is_taken_back() {
        assertThat(termination.react(new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE))))
                .containsExactly(new Reaction.Submit(new PluginTask.End(LEASE, TENURE)));
    }

    @Test
    void nothing_has_to_be_done_for_a_released_reservation() {
        assertThat(termination.react(new ReservationReleased(LEASE, RESERVATION)))
                .containsExactly(new Reaction.Withdraw(RESERVATION));
    }
}
