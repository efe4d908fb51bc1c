package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;

import java.util.List;

/** The states of a lease during and after the end. */
abstract class LeaseEndFolds extends LeaseRemovalFolds {

    @Test
    void a_lease_that_a_failed_start_released_names_the_fault() {
        LeaseEvent failed =
                new ReservationFailed(
                        LEASE, FIRST, Action.START, new Fault(Fault.Kind.PERMANENT, "no answer"));
        LeaseEvent ending = new LeaseEnding(LEASE, EndCause.START_FAILED, List.of());
        LeaseView ends = after(join(ACCEPTED, failed, ending));
        assertThat(ends.status()).isEqualTo(LeaseStatus.ENDING);
        assertThat(ends.explanation()).endsWith("could not be started: no answer");

        LeaseEvent ended = new LeaseEnded(LEASE, EndCause.START_FAILED);
        LeaseView over = after(join(ACCEPTED, failed, ending, ended));
        assertThat(over.status()).isEqualTo(LeaseStatus.ENDED);
        assertThat(over.explanation()).endsWith("could not be started: no answer");
        assertThat(over.scheduledEvents())
                .filteredOn(each -> each.type() == ScheduledEventView.Type.START_LEASE)
                .extracting(ScheduledEventView::status)
                .containsExactly(ScheduledEventView.Status.ERROR);
    }

    @Test
    void a_failed_end_does_not_lose_the_fault_of_the_start_that_released_the_lease() {
        String start =
                "Reservation %s could not be started: host compute-1 is broken".formatted(FIRST);
        LeaseEvent ending = ending(EndCause.START_FAILED);
        LeaseEvent failedEnd =
                new ReservationFailed(
                        LEASE, SECOND, Action.END, new Fault(Fault.Kind.DENIED, "it is in use"));
        LeaseEvent[] failed =
                join(ACCEPTED, STARTING, failed(Action.START, BROKEN), ending, failedEnd);

        LeaseView error = after(failed);
        assertThat(error.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(error.explanation())
                .startsWith("Reservation %s could not be ended: it is in use".formatted(SECOND))
                .endsWith(start);
        assertThat(after(join(failed, failed(Action.END, BROKEN))).explanation())
                .startsWith("Reservation %s could not be ended: host".formatted(FIRST))
                .doesNotContain("in use")
                .endsWith(start);
        assertThat(after(join(failed, ending)).explanation()).isEqualTo(start);
        LeaseView over =
                after(
                        join(
                                failed,
                                FIRST_RELEASED,
                                SECOND_RELEASED,
                                new LeaseEnded(LEASE, EndCause.START_FAILED)));
        assertThat(over.status()).isEqualTo(LeaseStatus.ENDED);
        assertThat(over.explanation()).isEqualTo(start);
    }

    @Test
    void an_ending_lease_keeps_the_allocations_until_the_release() {
        LeaseEvent[] ending = join(RUNNING, ending(EndCause.WINDOW_OVER));

        LeaseView lease = after(ending);
        assertThat(lease.status()).isEqualTo(LeaseStatus.ENDING);
        assertThat(status(lease, END_LEASE)).isEqualTo(ScheduledEventView.Status.IN_PROGRESS);
        assertThat(reservation(lease, FIRST).allocations()).hasSize(2);

        LeaseView released = after(join(ending, FIRST_RELEASED));
        assertThat(released.status()).isEqualTo(LeaseStatus.ENDING);
        assertThat(reservation(released, FIRST).status())
                .isEqualTo(ReservationView.Status.RELEASED);
        assertThat(reservation(released, FIRST).allocations()).isEmpty();
        assertThat(reservation(released, SECOND).allocations()).hasSize(1);
    }

    @Test
    void an_ended_lease_keeps_the_window() {
        LeaseView lease =
                after(
                        join(
                                RUNNING,
                                ending(EndCause.REQUESTED),
                                FIRST_RELEASED,
                                SECOND_RELEASED,
                                new LeaseEnded(LEASE, EndCause.REQUESTED)));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ENDED);
        assertThat(lease.period()).isEqualTo(PERIOD);
        assertThat(lease.explanation()).isNull();
        assertThat(status(lease, START_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);
        assertThat(status(lease, END_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);
    }

    @Test
    void a_missed_lease_is_ended_with_an_explanation() {
        LeaseView lease =
                after(
                        join(
                                ACCEPTED,
                                ending(EndCause.MISSED),
                                FIRST_RELEASED,
                                SECOND_RELEASED,
                                new LeaseEnded(LEASE, EndCause.MISSED)));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ENDED);
        assertThat(lease.explanation())
                .isEqualTo("The window was over before the lease could start.");
        assertThat(status(lease, START_LEASE)).isEqualTo(ScheduledEventView.Status.ERROR);
        assertThat(status(lease, END_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);
    }

    @Test
    void a_lease_in_error_still_ends() {
        LeaseView lease =
                after(
                        join(
                                ACCEPTED,
                                STARTING,
                                failed(Action.START, BROKEN),
                                ending(EndCause.WINDOW_OVER),
                                FIRST_RELEASED,
                                SECOND_RELEASED,
                                new LeaseEnded(LEASE, EndCause.WINDOW_OVER)));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ENDED);
        assertThat(lease.explanation()).isNull();
        assertThat(status(lease, START_LEASE)).isEqualTo(ScheduledEventView.Status.ERROR);
    }

    @Test
    void a_failed_end_is_an_error_until_the_retry() {
        LeaseEvent[] failed =
                join(RUNNING, ending(EndCause.WINDOW_OVER), failed(Action.END, SHORTAGE));

        LeaseView error = after(failed);
        assertThat(error.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(error.explanation()).contains("could not be ended");
        assertThat(status(error, END_LEASE)).isEqualTo(ScheduledEventView.Status.ERROR);
        assertThat(error.degraded()).isFalse();

        LeaseView retried = after(join(failed, ending(EndCause.WINDOW_OVER)));
        assertThat(retried.status()).isEqualTo(LeaseStatus.ENDING);
        assertThat(retried.explanation()).isNull();
        assertThat(status(retried, END_LEASE)).isEqualTo(ScheduledEventView.Status.IN_PROGRESS);
    }

    @Test
    void a_forced_end_releases_the_allocations_and_shows_a_warning() {
        LeaseView lease =
                after(
                        join(
                                RUNNING,
                                ending(EndCause.WINDOW_OVER),
                                failed(Action.END, BROKEN),
                                new LeaseEnded(LEASE, EndCause.FORCED)));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ENDED);
        assertThat(lease.explanation()).contains("the cloud may not be clean");
        assertThat(lease.reservations())
                .allSatisfy(
                        reservation -> {
                            assertThat(reservation.status())
                                    .isEqualTo(ReservationView.Status.RELEASED);
                            assertThat(reservation.allocations()).isEmpty();
                        });
    }

    @Test
    void a_deleted_lease_is_deleting_until_the_deletion_completes() {
        LeaseEvent[] deleting = join(RUNNING, ending(EndCause.DELETED), FIRST_RELEASED);
        LeaseEvent[] over =
                join(deleting, SECOND_RELEASED, new LeaseEnded(LEASE, EndCause.DELETED));

        assertThat(after(deleting).status()).isEqualTo(LeaseStatus.DELETING);
        assertThat(after(over).status()).isEqualTo(LeaseStatus.DELETING);
        assertThat(fold(join(over, new LeaseDeleted(LEASE)))).isNull();
    }
}
