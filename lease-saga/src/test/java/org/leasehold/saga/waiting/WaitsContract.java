package org.leasehold.saga.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.lease;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.junit.jupiter.api.Test;
import org.leasehold.saga.waiting.Waits.Wait;

import java.util.List;
import java.util.Map;

/** The contract of every table of waits. */
abstract class WaitsContract {

    abstract Waits waits();

    @Test
    void a_lease_is_found_by_each_reservation_that_it_waits_for() {
        waits().put(Map.of(lease(1), List.of(reservation(1), reservation(2))));
        waits().put(Map.of(lease(2), List.of(reservation(2))));

        assertThat(waits().of(List.of(reservation(2), reservation(3))))
                .containsExactly(
                        new Wait(lease(1), reservation(2)), new Wait(lease(2), reservation(2)));
    }

    @Test
    void whom_a_lease_waits_for_from_now_on_takes_the_place_of_whom_it_waited_for() {
        waits().put(Map.of(lease(1), List.of(reservation(1), reservation(2))));
        waits().put(Map.of(lease(1), List.of(reservation(2), reservation(3))));

        assertThat(waits().of(List.of(reservation(1)))).isEmpty();
        assertThat(waits().of(List.of(reservation(2), reservation(3)))).hasSize(2);
    }

    @Test
    void a_lease_may_wait_for_nobody_any_more() {
        waits().put(Map.of(lease(1), List.of(reservation(1)), lease(2), List.of(reservation(1))));
        waits().put(Map.of(lease(1), List.of()));

        assertThat(waits().of(List.of(reservation(1))))
                .containsExactly(new Wait(lease(2), reservation(1)));
    }
}
