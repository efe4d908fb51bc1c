package org.leasehold.saga.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.RetryPlan;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

class ScheduleTest {

    private static final Instant NOON = Samples.NOON;
    private static final LeasePeriod PERIOD = new LeasePeriod(NOON, NOON.plusSeconds(3600));

    @Test
    void a_requested_lease_gets_timers_for_start_announcement_and_end() {
        assertThat(Schedule.react(requested(NOON.plusSeconds(3000))))
                .containsExactly(
                        Reaction.setStartTimer(Samples.LEASE, NOON),
                        Reaction.setAnnouncementTimer(Samples.LEASE, NOON.plusSeconds(3000)),
                        Reaction.setEndTimer(Samples.LEASE, NOON.plusSeconds(3600)));
    }

    @Test
    void a_lease_without_announcement_has_no_timer_for_it() {
        assertThat(Schedule.react(requested(null)))
                .containsExactly(
                        Reaction.setStartTimer(Samples.LEASE, NOON),
                        Reaction.cancelAnnouncement(Samples.LEASE),
                        Reaction.setEndTimer(Samples.LEASE, NOON.plusSeconds(3600)));
    }

    @Test
    void a_rescheduled_lease_has_the_same_timers_at_other_times() {
        LeasePeriod later = new LeasePeriod(NOON.plusSeconds(60), NOON.plusSeconds(7200));

        assertThat(Schedule.react(new LeaseRescheduled(Samples.LEASE, later, null)))
                .containsExactly(
                        Reaction.setStartTimer(Samples.LEASE, NOON.plusSeconds(60)),
                        Reaction.cancelAnnouncement(Samples.LEASE),
                        Reaction.setEndTimer(Samples.LEASE, NOON.plusSeconds(7200)));
    }

    @Test
    void an_ending_or_ended_lease_has_no_timers() {
        List<LeaseEvent> ends =
                List.of(
                        new LeaseEnding(Samples.LEASE, EndCause.REQUESTED, List.of()),
                        new LeaseEnded(Samples.LEASE, EndCause.FORCED));

        assertThat(ends)
                .allSatisfy(
                        end ->
                                assertThat(Schedule.react(end))
                                        .containsExactly(Reaction.cancelAllTimers(Samples.LEASE)));
    }

    @Test
    void a_retried_lease_has_a_timer_for_the_next_attempt_only() {
        assertThat(Schedule.react(retried()))
                .containsExactly(Reaction.setRetryTimer(Samples.LEASE, NOON.minusSeconds(60)));
    }

    @Test
    void a_deleted_lease_is_retried_no_longer() {
        assertThat(Schedule.react(new LeaseDeleted(Samples.LEASE)))
                .containsExactly(Reaction.cancelRetry(Samples.LEASE));
        assertThat(Reaction.cancelRetry(Samples.LEASE).keys())
                .containsExactlyInAnyOrder(
                        Reaction.setRetryTimer(Samples.LEASE, NOON).key(),
                        Reaction.setEarlyTimer(Samples.LEASE, NOON).key());
        assertThat(Reaction.cancelAllTimers(Samples.LEASE).keys())
                .contains(Reaction.setRetryTimer(Samples.LEASE, NOON).key());
    }

    private static LeaseEvent retried() {
        return new LeaseRetryScheduled(
                Samples.LEASE,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "telescope",
                PERIOD,
                null,
                List.of(),
                new RetryPlan(1, 3, Duration.ofMinutes(1), NOON.minusSeconds(60), NOON),
                List.of(),
                7,
                null);
    }

    @Test
    void an_imported_ended_lease_has_no_timers_and_an_active_one_keeps_them() {
        assertThat(Schedule.react(imported(LeasePast.Stage.ENDED)))
                .containsExactly(Reaction.cancelAllTimers(Samples.LEASE));
        assertThat(Schedule.react(imported(LeasePast.Stage.ACTIVE))).isEmpty();
    }

    private static LeaseEvent imported(LeasePast.Stage stage) {
        return new LeaseEvent.LeaseImported(
                Samples.LEASE,
                new LeasePast(stage, null, List.of(), List.of(), NOON, null),
                List.of());
    }

    private static LeaseRequested requested(@Nullable Instant beforeEnd) {
        return new LeaseRequested(
                Samples.LEASE,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "telescope",
                PERIOD,
                beforeEnd,
                List.of(),
                null);
    }
}
