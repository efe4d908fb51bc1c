package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.BEFORE_END;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The states of a lease after changes. */
abstract class LeaseChangeFolds extends LeaseStartFolds {

    @Test
    void a_renamed_lease_has_another_name() {
        LeaseView lease = after(join(ACCEPTED, new LeaseRenamed(LEASE, "day")));

        assertThat(lease.name()).isEqualTo("day");
        assertThat(lease.updatedAt()).isEqualTo(minute(3));
        assertThat(lease.version()).isEqualTo(4);
    }

    @Test
    void a_rescheduled_lease_has_scheduled_events_at_the_new_times() {
        LeasePeriod later = new LeasePeriod(PERIOD.start(), PERIOD.end().plusSeconds(3600));
        LeaseView lease =
                after(
                        join(
                                ACCEPTED,
                                new LeaseRescheduled(LEASE, later, BEFORE_END.plusSeconds(3600))));

        assertThat(lease.period()).isEqualTo(later);
        assertThat(lease.beforeEnd()).isEqualTo(BEFORE_END.plusSeconds(3600));
        assertThat(scheduled(lease, START_LEASE).updatedAt()).isNull();
        assertThat(scheduled(lease, END_LEASE).time()).isEqualTo(later.end());
        assertThat(scheduled(lease, END_LEASE).updatedAt()).isEqualTo(minute(3));
        assertThat(scheduled(lease, BEFORE_END_LEASE).time())
                .isEqualTo(BEFORE_END.plusSeconds(3600));
    }

    @Test
    void a_reschedule_removes_or_adds_the_announcement() {
        LeaseEvent without = new LeaseRescheduled(LEASE, PERIOD, null);
        LeaseEvent with = new LeaseRescheduled(LEASE, PERIOD, BEFORE_END);

        assertThat(after(join(ACCEPTED, without)).scheduledEvents())
                .extracting(ScheduledEventView::type)
                .containsExactly(START_LEASE, END_LEASE);
        ScheduledEventView made = scheduled(after(join(ACCEPTED, without, with)), BEFORE_END_LEASE);
        assertThat(made.createdAt()).isEqualTo(minute(4));
        assertThat(made.updatedAt()).isNull();
    }

    @Test
    void only_a_later_announcement_time_resets_the_announcement() {
        LeaseEvent[] announced = join(RUNNING, new LeaseEndAnnounced(LEASE));
        LeaseEvent later = new LeaseRescheduled(LEASE, PERIOD, BEFORE_END.plusSeconds(60));
        LeaseEvent sooner = new LeaseRescheduled(LEASE, PERIOD, BEFORE_END.minusSeconds(60));

        assertThat(status(after(announced), BEFORE_END_LEASE))
                .isEqualTo(ScheduledEventView.Status.DONE);
        assertThat(status(after(join(announced, later)), BEFORE_END_LEASE))
                .isEqualTo(ScheduledEventView.Status.UNDONE);
        assertThat(status(after(join(announced, sooner)), BEFORE_END_LEASE))
                .isEqualTo(ScheduledEventView.Status.DONE);
    }

    @Test
    void a_failed_announcement_leaves_the_lease_active() {
        LeaseView lease =
                after(
                        join(
                                RUNNING,
                                new LeaseEndAnnounced(LEASE),
                                failed(Action.BEFORE_END, BROKEN)));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(lease.explanation()).isNull();
        assertThat(reservation(lease, FIRST).status()).isEqualTo(ReservationView.Status.ACTIVE);
        assertThat(status(lease, BEFORE_END_LEASE)).isEqualTo(ScheduledEventView.Status.ERROR);
    }

    @Test
    void a_refused_change_increments_only_the_version() {
        LeaseView before = after(RUNNING);
        LeaseView lease =
                after(
                        join(
                                RUNNING,
                                new LeaseChangeRefused(
                                        LEASE, PERIOD, List.of(hosts(FIRST, 9, 9)), List.of(), 7)));

        assertThat(lease).usingRecursiveComparison().ignoringFields("version").isEqualTo(before);
        assertThat(lease.version()).isEqualTo(before.version() + 1);
    }

    @Test
    void an_adjustment_changes_the_allocations_of_an_active_reservation() {
        Map<String, Object> wish = Map.of("min", 1, "max", 1);
        LeaseEvent[] changed =
                join(
                        RUNNING,
                        new ReservationChanged(LEASE, FIRST, wish),
                        LeaseFixtures.granted(LEASE, FIRST, host(4)),
                        new ReservationAdjusting(
                                LEASE,
                                new Tenure(FIRST, 3),
                                List.of(host(4).resource()),
                                List.of(host(1), host(2))));

        LeaseView adjusting = after(changed);
        assertThat(adjusting.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(reservation(adjusting, FIRST).parameters()).isEqualTo(wish);
        assertThat(reservation(adjusting, FIRST).allocations()).containsExactly(host(4));
        assertThat(reservation(adjusting, FIRST).updatedAt()).isEqualTo(minute(9));

        LeaseView adjusted =
                after(
                        join(
                                changed,
                                new ReservationAdjusted(
                                        LEASE,
                                        FIRST,
                                        List.of(host(1).resource(), host(2).resource()),
                                        Map.of("stack_id", "s2"),
                                        null)));
        assertThat(reservation(adjusted, FIRST).status()).isEqualTo(ReservationView.Status.ACTIVE);
        assertThat(reservation(adjusted, FIRST).cloudIds()).isEqualTo(Map.of("stack_id", "s2"));
        assertThat(adjusted.degraded()).isFalse();
    }

    @Test
    void an_added_reservation_starts_within_an_active_lease() {
        ReservationId joiner = new ReservationId(new UUID(0, 9));
        LeaseEvent[] starting =
                join(
                        RUNNING,
                        new ReservationAdded(LEASE, hosts(joiner, 1, 1)),
                        LeaseFixtures.granted(LEASE, joiner, host(4)),
                        new LeaseStarting(LEASE, List.of(new Tenure(joiner, 3))));

        LeaseView on = after(starting);
        assertThat(on.status()).isEqualTo(LeaseStatus.STARTING);
        assertThat(on.updatedAt()).isEqualTo(minute(starting.length - 1));
        assertThat(reservation(on, FIRST).status()).isEqualTo(ReservationView.Status.ACTIVE);
        assertThat(reservation(on, joiner).status()).isEqualTo(ReservationView.Status.PENDING);
        assertThat(reservation(on, joiner).allocations()).containsExactly(host(4));
        assertThat(reservation(on, joiner).createdAt()).isEqualTo(minute(RUNNING.length));

        LeaseView active =
                after(
                        join(
                                starting,
                                new ReservationActivated(
                                        LEASE, joiner, Map.of("aggregate_id", 7), null),
                                new LeaseActivated(LEASE)));
        assertThat(active.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(reservation(active, joiner).cloudIds()).containsEntry("aggregate_id", 7);
        assertThat(status(active, START_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);
    }

    @Test
    void a_failed_adjustment_is_an_error_until_the_retry() {
        LeaseEvent adjusting =
                new ReservationAdjusting(
                        LEASE, new Tenure(FIRST, 1), List.of(host(4).resource()), List.of());
        LeaseEvent[] failed = join(RUNNING, adjusting, failed(Action.ADJUST, SHORTAGE));

        LeaseView error = after(failed);
        assertThat(error.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(error.explanation()).contains("could not be adjusted");
        assertThat(error.degraded()).isTrue();
        assertThat(status(error, START_LEASE)).isEqualTo(ScheduledEventView.Status.DONE);

        LeaseView retried = after(join(failed, adjusting));
        assertThat(retried.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(retried.explanation()).isNull();
        assertThat(retried.degraded()).isTrue();
        assertThat(
                        after(
                                        join(
                                                failed,
                                                adjusting,
                                                new ReservationAdjusted(LEASE, FIRST, List.of())))
                                .degraded())
                .isFalse();
    }

    @Test
    void a_lease_stays_in_error_while_another_reservation_is_in_error() {
        LeaseEvent adjustingSecond =
                new ReservationAdjusting(
                        LEASE, new Tenure(SECOND, 2), List.of(host(4).resource()), List.of());
        LeaseView lease = after(join(RUNNING, failed(Action.ADJUST, BROKEN), adjustingSecond));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(lease.explanation()).isNotNull();
    }
}
