package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.query.lease.LeaseFixtures.ADA;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BEFORE_END;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.RetryPlan;
import org.leasehold.readmodel.lease.LeaseRetries;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class LeaseFoldTest {

    private static final LeaseId LEASE = LeaseFixtures.lease(1);
    private static final ReservationId FIRST = LeaseFixtures.reservation(1);
    private static final ReservationId SECOND = LeaseFixtures.reservation(2);
    private static final Fault BROKEN = new Fault(Fault.Kind.PERMANENT, "host compute-1 is broken");
    private static final Fault SHORTAGE =
            new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, "host compute-1 is in maintenance");

    private static final LeaseEvent REQUESTED =
            LeaseFixtures.requested(
                    LEASE, ASTRONOMY, "night", hosts(FIRST, 1, 2), hosts(SECOND, 1, 1));
    private static final LeaseEvent FIRST_GRANTED =
            LeaseFixtures.granted(LEASE, FIRST, host(1), host(2));
    private static final LeaseEvent SECOND_GRANTED = LeaseFixtures.granted(LEASE, SECOND, host(3));
    private static final LeaseEvent STARTING =
            new LeaseStarting(LEASE, List.of(new Tenure(FIRST, 1), new Tenure(SECOND, 2)));
    private static final LeaseEvent FIRST_ACTIVE = new ReservationActivated(LEASE, FIRST);
    private static final LeaseEvent SECOND_ACTIVE = new ReservationActivated(LEASE, SECOND);
    private static final LeaseEvent ACTIVATED = new LeaseActivated(LEASE);
    private static final LeaseEvent FIRST_RELEASED = new ReservationReleased(LEASE, FIRST);
    private static final LeaseEvent SECOND_RELEASED = new ReservationReleased(LEASE, SECOND);

    private static final LeaseEvent[] ACCEPTED = {REQUESTED, FIRST_GRANTED, SECOND_GRANTED};
    private static final LeaseEvent[] RUNNING = {
        REQUESTED, FIRST_GRANTED, SECOND_GRANTED, STARTING, FIRST_ACTIVE, SECOND_ACTIVE, ACTIVATED
    };

    private static final Set<Class<?>> SEEN = new HashSet<>();

    @AfterAll
    static void every_event_has_been_folded() {
        assertThat(SEEN).containsAll(List.of(LeaseEvent.class.getPermittedSubclasses()));
    }

    @Test
    void an_imported_lease_keeps_the_state_of_the_other_service() {
        Instant made = NOON.minusSeconds(86_400);
        Instant changed = NOON.minusSeconds(3_600);
        UUID step = new UUID(7, 7);
        LeasePast past =
                new LeasePast(
                        LeasePast.Stage.FAILED,
                        "It was in error.",
                        List.of(
                                new LeasePast.OfReservation(
                                        FIRST,
                                        LeasePast.Stage.ACTIVE,
                                        Map.of("aggregate_id", 7),
                                        false,
                                        true,
                                        made,
                                        changed),
                                new LeasePast.OfReservation(
                                        SECOND,
                                        LeasePast.Stage.FAILED,
                                        null,
                                        true,
                                        false,
                                        made,
                                        null)),
                        List.of(
                                new LeasePast.OfStep(
                                        LeasePast.OfStep.Step.START,
                                        step,
                                        LeasePast.OfStep.Status.ERROR,
                                        made,
                                        changed)),
                        made,
                        changed);
        LeaseView lease =
                after(
                        join(
                                ACCEPTED,
                                new LeaseImported(LEASE, past, List.of(new Tenure(FIRST, 1)))));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(lease.explanation()).isEqualTo("It was in error.");
        assertThat(lease.createdAt()).isEqualTo(made);
        assertThat(lease.updatedAt()).isEqualTo(changed);
        assertThat(lease.version()).isEqualTo(4);
        assertThat(lease.degraded()).isTrue();
        assertThat(lease.reservations())
                .extracting(
                        ReservationView::status,
                        ReservationView::cloudIds,
                        ReservationView::missingResources,
                        ReservationView::resourcesChanged,
                        ReservationView::createdAt,
                        ReservationView::updatedAt)
                .containsExactly(
                        tuple(
                                ReservationView.Status.ACTIVE,
                                Map.of("aggregate_id", 7),
                                false,
                                true,
                                made,
                                changed),
                        tuple(ReservationView.Status.ERROR, null, true, false, made, null));
        assertThat(lease.reservations().getFirst().allocations()).hasSize(2);
        assertThat(lease.scheduledEvents().getFirst())
                .isEqualTo(
                        new ScheduledEventView(
                                step,
                                ScheduledEventView.Type.START_LEASE,
                                PERIOD.start(),
                                ScheduledEventView.Status.ERROR,
                                made,
                                changed));
    }

    @Test
    void an_accepted_lease_is_pending_and_has_not_changed() {
        LeaseView lease = after(ACCEPTED);

        assertThat(lease.id()).isEqualTo(LEASE);
        assertThat(lease.projectId()).isEqualTo(ASTRONOMY);
        assertThat(lease.userId()).isEqualTo(ADA);
        assertThat(lease.name()).isEqualTo("night");
        assertThat(lease.status()).isEqualTo(LeaseStatus.PENDING);
        assertThat(lease.period()).isEqualTo(PERIOD);
        assertThat(lease.beforeEnd()).isEqualTo(BEFORE_END);
        assertThat(lease.explanation()).isNull();
        assertThat(lease.createdAt()).isEqualTo(NOON);
        assertThat(lease.updatedAt()).isNull();
        assertThat(lease.version()).isEqualTo(3);
        assertThat(lease.degraded()).isFalse();
    }

    @Test
    void an_accepted_reservation_shows_the_request_and_the_grant() {
        ReservationView reservation = reservation(after(ACCEPTED), FIRST);

        assertThat(reservation.status()).isEqualTo(ReservationView.Status.PENDING);
        assertThat(reservation.parameters()).containsEntry("min", 1).containsEntry("max", 2);
        assertThat(reservation.allocations()).containsExactly(host(1), host(2));
        assertThat(reservation.createdAt()).isEqualTo(NOON);
        assertThat(reservation.updatedAt()).isNull();
    }

    @Test
    void a_lease_has_scheduled_events_for_start_announcement_and_end() {
        LeaseView lease = after(ACCEPTED);

        assertThat(lease.scheduledEvents())
                .extracting(
                        ScheduledEventView::type,
                        ScheduledEventView::time,
                        ScheduledEventView::status,
                        ScheduledEventView::updatedAt)
                .containsExactly(
                        row(START_LEASE, PERIOD.start()),
                        row(BEFORE_END_LEASE, BEFORE_END),
                        row(END_LEASE, PERIOD.end()));
        assertThat(lease.scheduledEvents())
                .extracting(ScheduledEventView::id)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_scheduled_event_keeps_the_same_id() {
        assertThat(after(RUNNING).scheduledEvents())
                .extracting(ScheduledEventView::id)
                .isEqualTo(
                        after(ACCEPTED).scheduledEvents().stream()
                                .map(ScheduledEventView::id)
                                .toList());
    }

    @Test
    void a_lease_without_an_announcement_has_two_scheduled_events() {
        LeaseEvent silent =
                new LeaseEvent.LeaseRequested(
                        LEASE, ASTRONOMY, ADA, "night", PERIOD, null, List.of(), null);

        assertThat(after(silent).scheduledEvents())
                .extracting(ScheduledEventView::type)
                .containsExactly(START_LEASE, END_LEASE);
    }

    @Test
    void a_refused_lease_is_not_visible() {
        assertThat(fold(refusal())).isNull();
    }

    private static LeaseEvent refusal() {
        return new LeaseRefused(
                LEASE,
                ASTRONOMY,
                ADA,
                "night",
                PERIOD,
                null,
                List.of(hosts(FIRST, 9, 9)),
                List.of(),
                7,
                null);
    }

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
    void a_retried_lease_shows_the_refused_attempts_and_the_next_one() {
        LeaseView lease = after(retried(1), retried(2));

        assertThat(lease.status()).isEqualTo(LeaseStatus.RETRYING);
        assertThat(lease.explanation())
                .isEqualTo(
                        "The calendar cannot hold it yet. The next attempt is at"
                                + " 2030-01-01T12:20:00Z.");
        assertThat(lease.retries())
                .isEqualTo(
                        new LeaseRetries(
                                List.of(
                                        new LeaseRetries.Attempt(minute(0), List.of()),
                                        new LeaseRetries.Attempt(minute(1), List.of())),
                                8,
                                minute(20)));
        assertThat(lease.reservations()).extracting(ReservationView::id).containsExactly(FIRST);
        assertThat(lease.reservations().getFirst().allocations()).isEmpty();
        assertThat(lease.degraded()).isFalse();
        assertThat(lease.scheduledEvents()).isEmpty();
        assertThat(lease.version()).isEqualTo(2);
    }

    @Test
    void a_granted_retry_is_a_usual_lease_with_the_first_time_of_creation() {
        LeaseView lease = after(retried(1), REQUESTED, FIRST_GRANTED);

        assertThat(lease.status()).isEqualTo(LeaseStatus.PENDING);
        assertThat(lease.explanation()).isNull();
        assertThat(lease.createdAt()).isEqualTo(minute(0));
        assertThat(lease.updatedAt()).isEqualTo(minute(1));
        assertThat(lease.version()).isEqualTo(3);
        assertThat(lease.scheduledEvents()).hasSize(3);
        assertThat(lease.retries())
                .isEqualTo(
                        new LeaseRetries(
                                List.of(new LeaseRetries.Attempt(minute(0), List.of())), 0, null));
    }

    @Test
    void a_retried_lease_is_gone_after_the_refusal_or_deletion() {
        assertThat(fold(retried(1), refusal())).isNull();
        assertThat(fold(retried(1), new LeaseDeleted(LEASE))).isNull();
    }

    @Test
    void a_view_has_only_the_newest_attempts() {
        LeaseEvent[] attempts =
                IntStream.rangeClosed(1, 25)
                        .mapToObj(LeaseFoldTest::retried)
                        .toArray(LeaseEvent[]::new);

        assertThat(after(attempts).retries().attempts())
                .extracting(LeaseRetries.Attempt::at)
                .hasSize(20)
                .endsWith(minute(24));
    }

    @Test
    void a_view_has_the_reasons_of_the_newest_attempts_only() {
        Shortage one = new Shortage(FIRST, ResourceKind.PHYSICAL_HOST, 1, 4, 0, PERIOD, 0, null);
        List<Shortage> many = Collections.nCopies(60, one);

        LeaseView lease = after(retried(1, many), retried(2, many), retried(3, many));

        assertThat(lease.retries().attempts())
                .extracting(attempt -> attempt.shortages().size())
                .containsExactly(0, 0, 60);
    }

    private static LeaseEvent retried(int attempt) {
        return retried(attempt, List.of());
    }

    private static LeaseEvent retried(int attempt, List<Shortage> shortages) {
        return new LeaseRetryScheduled(
                LEASE,
                ASTRONOMY,
                ADA,
                "night",
                PERIOD,
                BEFORE_END,
                List.of(hosts(FIRST, 1, 2)),
                new RetryPlan(
                        attempt,
                        10 - attempt,
                        Duration.ofMinutes(10),
                        minute(10 * attempt),
                        PERIOD.start()),
                shortages,
                7,
                null);
    }

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

    private static LeaseEvent failed(long resource) {
        return new ResourceFailed(LEASE, FIRST, new ResourceId(resource), "it is down");
    }

    private static LeaseEvent recovered(long resource) {
        return new ResourceRecovered(LEASE, FIRST, new ResourceId(resource));
    }

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

    @Test
    void a_view_truncates_times_to_microseconds() {
        LeaseView lease = LeaseFold.apply(null, REQUESTED, NOON.plusNanos(1_999));

        assertThat(lease.createdAt()).isEqualTo(NOON.plusNanos(1_000));
    }

    @Test
    void an_inconsistent_event_is_rejected() {
        LeaseView lease = after(ACCEPTED);

        assertThatThrownBy(() -> LeaseFold.apply(null, ACTIVATED, NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LeaseFold.apply(null, new LeaseDeleted(LEASE), NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LeaseFold.apply(lease, REQUESTED, NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () ->
                                LeaseFold.apply(
                                        lease,
                                        new ReservationActivated(
                                                LEASE, LeaseFixtures.reservation(9)),
                                        NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () ->
                                LeaseFold.apply(
                                        lease,
                                        new ResourceReplaced(
                                                LEASE, FIRST, host(7).resource(), host(8), ""),
                                        NOON))
                .isInstanceOf(IllegalStateException.class);
    }

    private static LeaseEvent failed(Action action, Fault fault) {
        return new ReservationFailed(LEASE, FIRST, action, fault);
    }

    private static LeaseEvent ending(EndCause cause) {
        return new LeaseEnding(LEASE, cause, List.of(new Tenure(FIRST, 5), new Tenure(SECOND, 6)));
    }

    private static LeaseEvent[] join(LeaseEvent[] given, LeaseEvent... more) {
        return Stream.concat(Arrays.stream(given), Arrays.stream(more)).toArray(LeaseEvent[]::new);
    }

    private static LeaseView after(LeaseEvent... events) {
        LeaseView lease = fold(events);
        assertThat(lease).isNotNull();
        return lease;
    }

    /** Returns the view after events; the first is at noon, each later one a minute after. */
    private static LeaseView fold(LeaseEvent... events) {
        LeaseView lease = null;
        for (int i = 0; i < events.length; i++) {
            SEEN.add(events[i].getClass());
            lease = LeaseFold.apply(lease, events[i], minute(i));
        }
        return lease;
    }

    private static Instant minute(int number) {
        return NOON.plus(Duration.ofMinutes(number));
    }

    private static ReservationView reservation(LeaseView lease, ReservationId id) {
        return lease.reservations().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static ScheduledEventView scheduled(LeaseView lease, ScheduledEventView.Type type) {
        return lease.scheduledEvents().stream()
                .filter(event -> event.type() == type)
                .findFirst()
                .orElseThrow();
    }

    private static ScheduledEventView.Status status(LeaseView lease, ScheduledEventView.Type type) {
        return scheduled(lease, type).status();
    }

    private static Tuple row(ScheduledEventView.Type type, Instant time) {
        return tuple(type, time, ScheduledEventView.Status.UNDONE, null);
    }
}
