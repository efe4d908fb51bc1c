package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.Map;

/** The states of a lease from the start to the activation, and during outages. */
abstract class LeaseStartFolds extends LeaseFoldFixture {

    @Test
    void the_start_of_a_starting_lease_is_in_progress() {
        LeaseView lease = after(join(ACCEPTED, STARTING));

        assertThat(lease.status()).isEqualTo(LeaseStatus.STARTING);
        assertThat(status(lease, START_LEASE)).isEqualTo(ScheduledEventView.Status.IN_PROGRESS);
        assertThat(lease.updatedAt()).isEqualTo(minute(3));
    }

    @Test
    void a_lease_with_one_of_two_reservations_active_is_starting() {
        LeaseView lease = after(join(ACCEPTED, STARTING, FIRST_ACTIVE));

        assertThat(lease.status()).isEqualTo(LeaseStatus.STARTING);
        assertThat(reservation(lease, FIRST).status()).isEqualTo(ReservationView.Status.ACTIVE);
        assertThat(reservation(lease, FIRST).updatedAt()).isEqualTo(minute(4));
        assertThat(reservation(lease, SECOND).status()).isEqualTo(ReservationView.Status.PENDING);
    }

    @Test
    void an_active_lease_has_started_and_not_ended() {
        LeaseView lease = after(RUNNING);

        assertThat(lease.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(status(lease, START_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);
        assertThat(status(lease, END_LEASE)).isEqualTo(ScheduledEventView.Status.UNDONE);
        assertThat(scheduled(lease, START_LEASE).updatedAt()).isEqualTo(minute(6));
        assertThat(scheduled(lease, END_LEASE).updatedAt()).isNull();
        assertThat(lease.version()).isEqualTo(7);
    }

    @Test
    void a_lease_without_reservations_is_active_at_once() {
        LeaseView lease =
                after(
                        LeaseFixtures.requested(LEASE, ASTRONOMY, "night"),
                        new LeaseStarting(LEASE, List.of()),
                        ACTIVATED);

        assertThat(lease.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(status(lease, START_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);
    }

    @Test
    void a_delayed_lease_has_an_explanation_until_the_start() {
        LeaseEvent delayed =
                new LeaseDelayed(LEASE, List.of(SECOND), "host compute-1 is still in use");

        LeaseView waiting = after(join(ACCEPTED, delayed));
        assertThat(waiting.status()).isEqualTo(LeaseStatus.DELAYED);
        assertThat(waiting.explanation()).isEqualTo("host compute-1 is still in use");
        assertThat(status(waiting, START_LEASE)).isEqualTo(ScheduledEventView.Status.IN_PROGRESS);

        LeaseView started = after(join(ACCEPTED, delayed, STARTING));
        assertThat(started.status()).isEqualTo(LeaseStatus.STARTING);
        assertThat(started.explanation()).isNull();
    }

    @Test
    void a_replaced_resource_degrades_the_lease_until_a_new_grant() {
        LeaseEvent replaced =
                new ResourceReplaced(
                        LEASE, FIRST, host(1).resource(), host(9), "compute-1 is in maintenance");

        LeaseView degraded = after(join(ACCEPTED, replaced));
        assertThat(reservation(degraded, FIRST).allocations()).containsExactly(host(9), host(2));
        assertThat(reservation(degraded, FIRST).resourcesChanged()).isTrue();
        assertThat(degraded.degraded()).isTrue();
        assertThat(degraded.explanation())
                .isEqualTo("compute-1 is in maintenance; compute-9 replaces it.");

        LeaseView running =
                after(join(ACCEPTED, replaced, STARTING, FIRST_ACTIVE, SECOND_ACTIVE, ACTIVATED));
        assertThat(running.explanation())
                .isEqualTo("Other resources took the place of some that could not serve.");

        LeaseView renewed =
                after(
                        join(
                                ACCEPTED,
                                replaced,
                                LeaseFixtures.granted(LEASE, FIRST, host(9), host(2))));
        assertThat(reservation(renewed, FIRST).resourcesChanged()).isFalse();
        assertThat(renewed.degraded()).isFalse();
        assertThat(renewed.updatedAt()).isEqualTo(minute(4));
    }

    @Test
    void the_cloud_ids_of_a_reservation_are_known_after_the_activation() {
        Map<String, Object> ids = Map.of("aggregate_id", 7);
        LeaseEvent activated = new ReservationActivated(LEASE, FIRST, ids, null);

        assertThat(reservation(after(join(ACCEPTED, STARTING)), FIRST).cloudIds()).isNull();
        assertThat(reservation(after(join(ACCEPTED, STARTING, activated)), FIRST).cloudIds())
                .isEqualTo(ids);
    }

    @Test
    void a_failed_start_puts_the_lease_in_error_with_an_explanation() {
        LeaseView lease =
                after(join(ACCEPTED, STARTING, failed(Action.START, BROKEN), SECOND_ACTIVE));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(lease.explanation())
                .isEqualTo(
                        "Reservation %s could not be started: host compute-1 is broken"
                                .formatted(FIRST));
        assertThat(status(lease, START_LEASE)).isEqualTo(ScheduledEventView.Status.ERROR);
        assertThat(reservation(lease, FIRST).status()).isEqualTo(ReservationView.Status.ERROR);
        assertThat(reservation(lease, FIRST).missingResources()).isFalse();
        assertThat(reservation(lease, SECOND).status()).isEqualTo(ReservationView.Status.ACTIVE);
    }

    @Test
    void a_retry_restarts_a_lease_in_error() {
        LeaseEvent[] failed = join(ACCEPTED, STARTING, failed(Action.START, BROKEN), SECOND_ACTIVE);
        LeaseEvent again = new LeaseStarting(LEASE, List.of(new Tenure(FIRST, 3)));

        LeaseView retried = after(join(failed, again));
        assertThat(retried.status()).isEqualTo(LeaseStatus.STARTING);
        assertThat(retried.explanation()).isNull();
        assertThat(status(retried, START_LEASE)).isEqualTo(ScheduledEventView.Status.IN_PROGRESS);
        assertThat(reservation(retried, FIRST).status()).isEqualTo(ReservationView.Status.PENDING);
        assertThat(reservation(retried, SECOND).status()).isEqualTo(ReservationView.Status.ACTIVE);

        LeaseView healed = after(join(failed, again, FIRST_ACTIVE, ACTIVATED));
        assertThat(healed.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(status(healed, START_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);
    }

    @Test
    void missing_resources_degrade_a_lease_until_the_activation() {
        LeaseEvent[] failed = join(ACCEPTED, STARTING, failed(Action.START, SHORTAGE));
        LeaseEvent again = new LeaseStarting(LEASE, List.of(new Tenure(FIRST, 3)));

        assertThat(after(failed).degraded()).isTrue();
        assertThat(reservation(after(failed), FIRST).missingResources()).isTrue();
        assertThat(after(join(failed, again)).degraded()).isTrue();
        assertThat(after(join(failed, again, FIRST_ACTIVE)).degraded()).isFalse();
    }

    @Test
    void an_outage_degrades_a_lease_until_all_resources_recover() {
        LeaseEvent[] active = join(ACCEPTED, STARTING, FIRST_ACTIVE, SECOND_ACTIVE, ACTIVATED);
        LeaseEvent[] down = join(active, failed(1), failed(2), recovered(2));

        LeaseView lease = after(down);
        assertThat(lease.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(lease.degraded()).isTrue();
        assertThat(reservation(lease, FIRST).lacksResources()).isTrue();
        assertThat(reservation(lease, FIRST).down()).containsExactly(new ResourceId(1));
        assertThat(reservation(lease, SECOND).lacksResources()).isFalse();
        assertThat(lease.explanation())
                .startsWith("Reservation " + FIRST + " lacks ")
                .endsWith(": it is down");
        LeaseView back = after(join(down, recovered(1)));
        assertThat(back.degraded()).isFalse();
        assertThat(back.explanation()).isNull();
        assertThat(reservation(back, FIRST).down()).isNull();
    }

    private static LeaseEvent recovered(long resource) {
        return new ResourceRecovered(LEASE, FIRST, new ResourceId(resource));
    }
}
