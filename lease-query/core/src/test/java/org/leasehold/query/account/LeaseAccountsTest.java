package org.leasehold.query.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.JOINER;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.active;
import static org.leasehold.query.account.LeaseScenario.deleted;
import static org.leasehold.query.account.LeaseScenario.ended;
import static org.leasehold.query.account.LeaseScenario.ending;
import static org.leasehold.query.account.LeaseScenario.granted;
import static org.leasehold.query.account.LeaseScenario.host;
import static org.leasehold.query.account.LeaseScenario.minute;
import static org.leasehold.query.account.LeaseScenario.pending;
import static org.leasehold.query.account.LeaseScenario.released;
import static org.leasehold.query.account.LeaseScenario.requested;
import static org.leasehold.query.account.LeaseScenario.share;
import static org.leasehold.query.account.LeaseScenario.starting;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;

import java.time.Duration;
import java.util.List;

/** A test of accounts: a decision replaces the future after its instant, and never the past. */
class LeaseAccountsTest extends LeaseAccountsFixture {

    @Test
    void the_duration_of_a_start_counts_as_lost() {
        LeaseScenario life = active().at(300, ending(EndCause.WINDOW_OVER, R)).at(303, released(R));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-61",
                        "1 ACTIVE 61-300",
                        "1 OVERRUN 300-303",
                        "2 LOST 60-61",
                        "2 ACTIVE 61-300",
                        "2 OVERRUN 300-303");
    }

    @Test
    void an_account_excludes_the_future() {
        assertThat(pending().account(60)).isEmpty();
        assertThat(active().account(100))
                .containsExactly(
                        "1 LOST 60-61", "1 ACTIVE 61-100", "2 LOST 60-61", "2 ACTIVE 61-100");
    }

    @Test
    void a_pending_lease_has_booked_periods() {
        assertThat(pending().bookings().periods())
                .extracting(stretch -> minute(stretch.starts()) + "-" + minute(stretch.ends()))
                .containsExactly("60-300", "60-300");
    }

    @Test
    void the_delay_of_a_start_counts_as_lost() {
        LeaseScenario life =
                pending()
                        .at(60, new LeaseDelayed(LEASE, List.of(JOINER), "another has it"))
                        .at(90, starting(R))
                        .at(100, ACTIVATED);
        assertThat(life.account(200))
                .containsExactly(
                        "1 LOST 60-100", "1 ACTIVE 100-200", "2 LOST 60-100", "2 ACTIVE 100-200");
    }

    @Test
    void an_early_end_keeps_the_time_before_the_end() {
        LeaseScenario life = active().at(200, ending(EndCause.REQUESTED, R)).at(210, released(R));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-61",
                        "1 ACTIVE 61-200",
                        "1 OVERRUN 200-210",
                        "2 LOST 60-61",
                        "2 ACTIVE 61-200",
                        "2 OVERRUN 200-210");
    }

    @Test
    void a_repeated_end_keeps_the_time_of_the_first() {
        LeaseScenario life =
                active().at(200, ending(EndCause.REQUESTED, R))
                        .at(205, failed(Action.END))
                        // By a node that has stalled.
                        .at(190, ending(EndCause.DELETED, R))
                        .at(210, released(R), ended(EndCause.DELETED), deleted());
        assertThat(life.account(1000))
                .contains("1 ACTIVE 61-200", "1 OVERRUN 200-210")
                .doesNotContain("1 ACTIVE 61-190");
    }

    @Test
    void a_late_end_is_an_overrun() {
        LeaseScenario life = active().at(320, ending(EndCause.WINDOW_OVER, R)).at(325, released(R));
        assertThat(life.account(1000)).contains("1 ACTIVE 61-300", "1 OVERRUN 300-325");
    }

    @Test
    void a_failed_start_counts_as_lost_and_then_as_overrun() {
        LeaseScenario life =
                pending()
                        .at(60, starting(R))
                        .at(65, failed(Action.START))
                        .at(300, ending(EndCause.WINDOW_OVER, R))
                        .at(305, released(R));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-300", "1 OVERRUN 300-305", "2 LOST 60-300", "2 OVERRUN 300-305");
    }

    @Test
    void a_retried_start_counts_as_active_from_the_activation() {
        LeaseScenario life =
                pending()
                        .at(60, starting(R))
                        .at(65, failed(Action.START))
                        .at(120, starting(R))
                        .at(125, ACTIVATED);
        assertThat(life.account(300)).contains("1 LOST 60-125", "1 ACTIVE 125-300");
    }

    @Test
    void a_failed_preparation_or_announcement_does_not_end_active_time() {
        LeaseScenario life =
                active().at(250, failed(Action.BEFORE_END)).at(260, failed(Action.PREPARE));
        assertThat(life.account(300)).isEqualTo(active().account(300));
    }

    @Test
    void a_missed_window_is_lost_as_a_whole() {
        LeaseScenario life =
                pending().at(310, ending(EndCause.MISSED), released(R), ended(EndCause.MISSED));
        assertThat(life.account(1000)).containsExactly("1 LOST 60-300", "2 LOST 60-300");
    }

    @Test
    void a_forced_end_ends_active_time() {
        LeaseScenario life = active().at(150, released(R), ended(EndCause.FORCED));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-61", "1 ACTIVE 61-150", "2 LOST 60-61", "2 ACTIVE 61-150");
    }

    @Test
    void a_forced_end_of_an_ending_lease_ends_the_overrun() {
        LeaseScenario life =
                active().at(200, ending(EndCause.REQUESTED, R))
                        .at(250, released(R), ended(EndCause.FORCED));
        assertThat(life.account(1000)).contains("1 ACTIVE 61-200", "1 OVERRUN 200-250");
    }

    @Test
    void a_lease_deleted_before_the_start_has_an_empty_account() {
        LeaseScenario life =
                pending()
                        .at(
                                30,
                                ending(EndCause.DELETED),
                                released(R),
                                ended(EndCause.DELETED),
                                deleted());
        assertThat(life.account(1000)).isEmpty();
        assertThat(life.bookings().periods()).isEmpty();
    }

    @Test
    void a_deletion_of_an_active_lease_keeps_the_past_account() {
        LeaseScenario life =
                active().at(100, ending(EndCause.DELETED, R))
                        .at(102, released(R), ended(EndCause.DELETED), deleted());
        assertThat(life.account(1000))
                .contains("1 LOST 60-61", "1 ACTIVE 61-100", "1 OVERRUN 100-102");
    }

    private static LeaseEvent up(long host) {
        return new ResourceRecovered(LEASE, R, new ResourceId(host));
    }

    @Test
    void an_outage_counts_as_lost_until_the_recovery() {
        assertThat(active().at(100, down(1)).at(130, up(1)).account(200))
                .containsExactly(
                        "1 LOST 60-61",
                        "1 ACTIVE 61-100",
                        "1 LOST 100-130",
                        "1 ACTIVE 130-200",
                        "2 LOST 60-61",
                        "2 ACTIVE 61-200");
    }

    @Test
    void an_outage_at_the_activation_counts_as_lost_until_the_recovery() {
        LeaseScenario life =
                pending().at(60, starting(R)).at(61, down(1)).at(62, ACTIVATED).at(70, up(1));
        assertThat(life.account(100))
                .contains("1 LOST 60-70", "1 ACTIVE 70-100", "2 ACTIVE 62-100");
    }

    @Test
    void an_outage_at_the_end_counts_as_lost_and_then_as_overrun() {
        LeaseScenario life = active().at(100, down(1)).at(200, ending(EndCause.REQUESTED, R));
        assertThat(life.at(250, released(R)).account(1000))
                .contains("1 ACTIVE 61-100", "1 LOST 100-200", "1 OVERRUN 200-250");
    }

    /** A request for "now" names the current minute; an earlier lease may still have been there. */
    @Test
    void an_immediate_start_counts_from_the_grant() {
        LeaseScenario life =
                new LeaseScenario()
                        .at(61, requested(window(60, 120)), granted(window(61, 120), host(1)))
                        .at(61, starting(R))
                        .at(62, ACTIVATED);
        assertThat(life.account(120)).containsExactly("1 LOST 61-62", "1 ACTIVE 62-120");
    }

    @Test
    void a_share_counts_by_the_number_of_slots() {
        LeaseScenario life =
                new LeaseScenario()
                        .at(0, requested(window(60, 300)), granted(window(60, 300), share(1, 2)))
                        .at(60, starting(R), ACTIVATED)
                        .at(100, granted(window(100, 300), share(1, 5)), adjusting(List.of()))
                        .at(110, adjusted())
                        .at(200, granted(window(200, 300), share(1, 1)), adjusting(List.of()))
                        .at(205, adjusted());
        assertThat(life.account(300))
                .containsExactly(
                        "1 ACTIVE x2 60-100",
                        "1 ACTIVE x2 100-110",
                        "1 LOST x3 100-110",
                        "1 ACTIVE x5 110-200",
                        "1 ACTIVE 200-300",
                        "1 OVERRUN x4 200-205");
    }

    @Test
    void the_time_of_an_entry_is_multiplied_by_the_slots() {
        LeaseScenario life =
                new LeaseScenario()
                        .at(0, requested(window(60, 300)), granted(window(60, 300), share(1, 3)))
                        .at(60, starting(R), ACTIVATED);
        assertThat(LeaseAccounts.of(life.bookings(), minute(70)))
                .extracting(AccountEntry::time)
                .containsExactly(Duration.ofMinutes(30));
    }

    @Test
    void a_period_of_zero_length_is_omitted() {
        LeaseScenario life =
                pending()
                        .at(60, starting(R), ACTIVATED)
                        .at(60, ending(EndCause.REQUESTED, R), released(R));
        assertThat(life.bookings().periods()).isEmpty();
    }

    @Test
    void an_account_truncates_times_to_microseconds() {
        var start = minute(60);
        LeaseScenario life = pending();
        life.bookings().apply(starting(R), start.plusNanos(1_999));
        life.bookings().apply(ACTIVATED, start.plusNanos(2_001));
        assertThat(LeaseAccounts.of(life.bookings(), minute(61)))
                .extracting(AccountEntry::time)
                .containsExactlyInAnyOrder(
                        Duration.ofNanos(2_000),
                        Duration.ofMinutes(1).minusNanos(2_000),
                        Duration.ofNanos(2_000),
                        Duration.ofMinutes(1).minusNanos(2_000));
    }
}
