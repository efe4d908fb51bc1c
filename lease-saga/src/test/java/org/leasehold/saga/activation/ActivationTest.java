package org.leasehold.saga.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.ReservationWish;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Map;

class ActivationTest {

    private final Activation activation =
            new Activation(wish -> wish.kind().equals(ResourceKind.SERVER));

    @Test
    void only_a_reservation_that_needs_preparation_is_prepared() {
        ReservationWish server =
                new ReservationWish(reservation(12), ResourceKind.SERVER, Map.of());
        ReservationWish host =
                new ReservationWish(RESERVATION, ResourceKind.PHYSICAL_HOST, Map.of());

        assertThat(activation.react(requested(host, server)))
                .containsExactly(
                        new Reaction.Submit(new PluginTask.Prepare(LEASE, reservation(12))));
        assertThat(activation.react(requested(host))).isEmpty();
        assertThat(activation.react(new ReservationAdded(LEASE, server)))
                .containsExactly(
                        new Reaction.Submit(new PluginTask.Prepare(LEASE, reservation(12))));
        assertThat(activation.react(new ReservationAdded(LEASE, host))).isEmpty();
    }

    private static LeaseRequested requested(ReservationWish... wishes) {
        return new LeaseRequested(
                LEASE,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "telescope",
                PERIOD,
                null,
                List.of(wishes),
                null);
    }

    @Test
    void every_reservation_of_a_starting_lease_is_started() {
        Tenure other = new Tenure(reservation(12), 6);

        assertThat(activation.react(new LeaseStarting(LEASE, List.of(TENURE, other))))
                .containsExactly(
                        Reaction.endWait(LEASE),
                        new Reaction.Submit(new PluginTask.Start(LEASE, TENURE)),
                        new Reaction.Submit(new PluginTask.Start(LEASE, other)));
    }

    @Test
    void a_waiting_reservation_is_started_when_another_one_is_active() {
        Tenure other = new Tenure(reservation(12), 6);

        assertThat(
                        activation.react(
                                new LeaseStarting(
                                        LEASE, List.of(TENURE, other), List.of(reservation(12)))))
                .containsExactly(
                        Reaction.endWait(LEASE),
                        new Reaction.Submit(new PluginTask.Start(LEASE, TENURE)));
        assertThat(activation.react(new ReservationActivated(LEASE, RESERVATION))).isEmpty();
        assertThat(
                        activation.react(
                                new ReservationActivated(LEASE, RESERVATION, null, List.of(other))))
                .containsExactly(new Reaction.Submit(new PluginTask.Start(LEASE, other)));
        assertThat(
                        activation.react(
                                new ReservationAdjusted(
                                        LEASE, RESERVATION, List.of(), null, List.of(other))))
                .containsExactly(
                        new Reaction.Wake(RESERVATION),
                        new Reaction.Submit(new PluginTask.Start(LEASE, other)));
    }

    @Test
    void a_running_reservation_that_changes_is_adjusted() {
        assertThat(
                        activation.react(
                                new ReservationAdjusting(
                                        LEASE, TENURE, List.of(), List.of(NODE_1))))
                .containsExactly(
                        new Reaction.Submit(new PluginTask.Adjust(LEASE, TENURE, List.of(NODE_1))));
    }

    @Test
    void a_delayed_lease_waits_for_a_release_and_retries_at_once() {
        assertThat(activation.react(new LeaseDelayed(LEASE, List.of(RESERVATION), "not yet")))
                .containsExactly(
                        new Reaction.Await(LEASE, List.of(RESERVATION)),
                        new Reaction.TryAgain(LEASE));
    }

    @Test
    void a_released_or_adjusted_reservation_wakes_waiting_leases() {
        assertThat(activation.react(new ReservationReleased(LEASE, RESERVATION)))
                .containsExactly(new Reaction.Wake(RESERVATION));
        assertThat(activation.react(new ReservationAdjusted(LEASE, RESERVATION, List.of())))
                .containsExactly(new Reaction.Wake(RESERVATION));
    }

    @Test
    void an_ending_lease_stops_waiting() {
        assertThat(activation.react(new LeaseEnding(LEASE, EndCause.DELETED, List.of())))
                .containsExactly(Reaction.endWait(LEASE));
        assertThat(activation.react(new LeaseEnded(LEASE, EndCause.FORCED)))
                .containsExactly(Reaction.endWait(LEASE));
    }
}
