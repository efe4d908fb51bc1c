package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.Tenure;

import java.util.List;

/** The states of a lease while a reservation is removed from it. */
abstract class LeaseRemovalFolds extends LeaseChangeFolds {

    private static final LeaseEvent FIRST_REMOVED =
            new ReservationRemoved(LEASE, FIRST, new Tenure(FIRST, 1));

    @Test
    void a_removed_reservation_is_shown_until_the_release() {
        LeaseEvent[] leaving = join(RUNNING, FIRST_REMOVED);

        LeaseView lease = after(leaving);
        assertThat(lease.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(reservation(lease, FIRST).status()).isEqualTo(ReservationView.Status.REMOVING);
        assertThat(reservation(lease, FIRST).allocations()).hasSize(2);

        LeaseView released = after(join(leaving, FIRST_RELEASED));
        assertThat(released.reservations()).extracting(ReservationView::id).containsExactly(SECOND);
        assertThat(released.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(
                        after(
                                        join(
                                                leaving,
                                                ending(EndCause.REQUESTED),
                                                FIRST_RELEASED,
                                                SECOND_RELEASED,
                                                new LeaseEnded(LEASE, EndCause.REQUESTED)))
                                .reservations())
                .extracting(ReservationView::id)
                .containsExactly(SECOND);
    }

    @Test
    void a_removed_reservation_no_longer_degrades_the_lease() {
        LeaseEvent down = new ResourceFailed(LEASE, FIRST, host(1).resource(), "no power");
        assertThat(after(join(RUNNING, down)).degraded()).isTrue();

        LeaseView lease = after(join(RUNNING, down, FIRST_REMOVED));
        assertThat(lease.degraded()).isFalse();
        assertThat(lease.explanation()).isNull();
    }

    @Test
    void a_failed_removal_does_not_put_the_lease_in_error() {
        LeaseEvent[] failed = join(RUNNING, FIRST_REMOVED, failed(Action.END, BROKEN));

        LeaseView lease = after(failed);
        assertThat(lease.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(reservation(lease, FIRST).status())
                .isEqualTo(ReservationView.Status.REMOVAL_FAILED);
        assertThat(lease.explanation()).contains("could not be removed: host compute-1 is broken");
        assertThat(status(lease, END_LEASE)).isEqualTo(ScheduledEventView.Status.UNDONE);

        LeaseView retried = after(join(failed, FIRST_REMOVED));
        assertThat(reservation(retried, FIRST).status()).isEqualTo(ReservationView.Status.REMOVING);
        assertThat(retried.explanation()).isNull();
    }

    @Test
    void the_explanation_of_a_failed_removal_stays_until_the_release() {
        LeaseEvent[] failed = join(RUNNING, FIRST_REMOVED, failed(Action.END, BROKEN));
        LeaseEvent[] adjusting =
                join(
                        failed,
                        new ReservationAdjusting(
                                LEASE, new Tenure(SECOND, 2), List.of(), List.of()));

        assertThat(after(adjusting).explanation())
                .isEqualTo("Reservation %s could not be removed: host compute-1 is broken", FIRST);
        assertThat(after(join(failed, FIRST_RELEASED)).explanation()).isNull();
        assertThat(after(join(adjusting, FIRST_RELEASED)).explanation()).isNull();
    }

    @Test
    void the_explanation_of_a_failed_removal_follows_that_of_an_outage() {
        LeaseEvent down = new ResourceFailed(LEASE, SECOND, host(3).resource(), "no power");
        LeaseEvent[] both = join(RUNNING, down, FIRST_REMOVED, failed(Action.END, BROKEN));
        assertThat(after(both).explanation()).endsWith(": no power");
        assertThat(after(join(both, FIRST_RELEASED)).explanation()).endsWith(": no power");

        LeaseEvent up = new ResourceRecovered(LEASE, SECOND, host(3).resource());

        assertThat(after(join(both, up)).explanation())
                .isEqualTo("Reservation %s could not be removed.", FIRST);
        assertThat(after(join(both, up, FIRST_RELEASED)).explanation()).isNull();
    }

    @Test
    void a_removal_that_fails_during_the_end_puts_the_lease_in_error() {
        LeaseView lease =
                after(
                        join(
                                RUNNING,
                                FIRST_REMOVED,
                                ending(EndCause.REQUESTED),
                                failed(Action.END, BROKEN)));
        assertThat(lease.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(lease.explanation()).contains("could not be ended");
    }
}
