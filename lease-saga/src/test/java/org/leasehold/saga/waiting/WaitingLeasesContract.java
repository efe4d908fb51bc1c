package org.leasehold.saga.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.lease;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.junit.jupiter.api.Test;
import org.leasehold.saga.waiting.WaitingLeases.Wait;

import java.util.List;
import java.util.Map;

/** The contract of every table of waits. */
abstract class WaitingLeasesContract {

    abstract WaitingLeases waits();

    @Test
    void a_lease_is_found_by_a_reservation_that_it_waits_for() {
        waits().replaceWaits(Map.of(lease(1), List.of(reservation(1), reservation(2))));
        waits().replaceWaits(Map.of(lease(2), List.of(reservation(2))));

        assertThat(waits().findWaits(List.of(reservation(2), reservation(3))))
                .containsExactly(
                        new Wait(lease(1), reservation(2)), new Wait(lease(2), reservation(2)));
    }

    @Test
    void a_new_wait_replaces_the_previous_wait_of_a_lease() {
        waits().replaceWaits(Map.of(lease(1), List.of(reservation(1), reservation(2))));
        waits().replaceWaits(Map.of(lease(1), List.of(reservation(2), reservation(3))));

        assertThat(waits().findWaits(List.of(reservation(1)))).isEmpty();
        assertThat(waits().findWaits(List.of(reservation(2), reservation(3)))).hasSize(2);
    }

    @Test
    void a_lease_can_stop_waiting() {
        waits().replaceWaits(
                        Map.of(
                                lease(1),
                                List.of(reservation(1)),
                                lease(2),
                                List.of(reservation(1))));
        waits().replaceWaits(Map.of(lease(1), List.of()));

        assertThat(waits().findWaits(List.of(reservation(1))))
                .containsExactly(new Wait(lease(2), reservation(1)));
    }
}
