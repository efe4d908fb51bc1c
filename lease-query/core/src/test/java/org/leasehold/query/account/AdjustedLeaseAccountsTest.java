package org.leasehold.query.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.JOINER;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.active;
import static org.leasehold.query.account.LeaseScenario.ending;
import static org.leasehold.query.account.LeaseScenario.granted;
import static org.leasehold.query.account.LeaseScenario.host;
import static org.leasehold.query.account.LeaseScenario.minute;
import static org.leasehold.query.account.LeaseScenario.pending;
import static org.leasehold.query.account.LeaseScenario.released;
import static org.leasehold.query.account.LeaseScenario.requested;
import static org.leasehold.query.account.LeaseScenario.starting;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.vocabulary.Share;

import java.util.List;
import java.util.Map;

/** Tests the accounts of leases whose window, hosts or reservations change. */
class AdjustedLeaseAccountsTest extends LeaseAccountsFixture {

    private static LeaseEvent replaced(long replaced, Allocation replacement) {
        return new ResourceReplaced(LEASE, R, new ResourceId(replaced), replacement, "it is late");
    }

    @Test
    void a_prolonged_lease_stays_active_to_the_new_end() {
        LeaseScenario life =
                active().at(250, granted(window(250, 400), host(1), host(2)), adjusting(List.of()))
                        .at(251, adjusted())
                        .at(400, ending(EndCause.WINDOW_OVER, R), released(R));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-61", "1 ACTIVE 61-400", "2 LOST 60-61", "2 ACTIVE 61-400");
    }

    @Test
    void a_removed_host_counts_as_overrun_until_the_adjustment_completes() {
        LeaseScenario life =
                active().at(100, granted(window(100, 300), host(1)), adjusting(List.of(), host(2)))
                        .at(104, adjusted(2));
        assertThat(life.account(300))
                .containsExactly(
                        "1 LOST 60-61",
                        "1 ACTIVE 61-300",
                        "2 LOST 60-61",
                        "2 ACTIVE 61-100",
                        "2 OVERRUN 100-104");
    }

    @Test
    void an_added_host_counts_as_lost_until_the_adjustment_completes() {
        LeaseScenario life =
                active().at(
                                100,
                                granted(window(100, 300), host(1), host(2), host(3)),
                                adjusting(List.of(3L)))
                        .at(110, adjusted());
        assertThat(life.account(300))
                .containsExactly(
                        "1 LOST 60-61",
                        "1 ACTIVE 61-300",
                        "2 LOST 60-61",
                        "2 ACTIVE 61-300",
                        "3 LOST 100-110",
                        "3 ACTIVE 110-300");
    }

    @Test
    void an_added_host_stays_lost_after_a_failed_adjustment() {
        LeaseScenario life =
                active().at(
                                100,
                                granted(window(100, 300), host(1), host(2), host(3)),
                                adjusting(List.of(3L)))
                        .at(110, failed(Action.ADJUST));
        assertThat(life.account(300)).contains("1 ACTIVE 61-300", "3 LOST 100-300");
    }

    @Test
    void a_host_added_during_a_removal_counts_as_lost_until_adjusted() {
        LeaseScenario life =
                active().at(100, granted(window(100, 300), host(1)), adjusting(List.of(), host(2)))
                        .at(
                                105,
                                granted(window(105, 300), host(1), host(2)),
                                adjusting(List.of(2L)))
                        .at(110, adjusted());
        assertThat(life.account(300))
                .endsWith(
                        "2 ACTIVE 61-100",
                        "2 OVERRUN 100-105",
                        "2 LOST 105-110",
                        "2 ACTIVE 110-300");
    }

    @Test
    void a_lease_moved_before_the_start_counts_in_the_new_window() {
        LeaseScenario life =
                pending()
                        .at(30, granted(window(90, 200), host(1)))
                        .at(90, starting(R), ACTIVATED)
                        .at(200, ending(EndCause.WINDOW_OVER, R), released(R));
        assertThat(life.account(1000)).containsExactly("1 ACTIVE 90-200");
    }

    @Test
    void a_host_replaced_before_the_start_has_no_account_entry() {
        LeaseScenario life = pending().at(40, replaced(2, host(3))).at(60, starting(R), ACTIVATED);
        assertThat(life.account(300)).containsExactly("1 ACTIVE 60-300", "3 ACTIVE 60-300");
    }

    @Test
    void a_host_replaced_at_a_late_start_is_lost_until_the_replacement() {
        LeaseScenario life = pending().at(70, replaced(2, host(3)), starting(R)).at(75, ACTIVATED);
        assertThat(life.account(300))
                .containsExactly(
                        "1 LOST 60-75",
                        "1 ACTIVE 75-300",
                        "2 LOST 60-70",
                        "3 LOST 70-75",
                        "3 ACTIVE 75-300");
    }

    @Test
    void a_refused_change_does_not_change_the_account() {
        LeaseScenario life =
                active().at(
                                100,
                                new LeaseChangeRefused(
                                        LEASE, window(60, 900), List.of(), List.of(), 7));
        assertThat(life.account(300)).isEqualTo(active().account(300));
    }

    @Test
    void a_removal_ends_the_outage_of_a_host() {
        LeaseScenario life =
                active().at(100, down(2))
                        .at(110, granted(window(110, 300), host(1)), adjusting(List.of(), host(2)))
                        .at(111, adjusted(2))
                        .at(
                                150,
                                granted(window(150, 300), host(1), host(2)),
                                adjusting(List.of(2L)))
                        .at(151, adjusted());
        assertThat(life.account(300))
                .containsSubsequence(
                        "2 ACTIVE 61-100", "2 LOST 100-110", "2 LOST 150-151", "2 ACTIVE 151-300");
    }

    @Test
    void an_added_reservation_counts_from_the_addition() {
        LeaseScenario life =
                active().at(
                                100,
                                new ReservationAdded(LEASE, LeaseScenario.wish(JOINER)),
                                granted(window(100, 300), host(1), host(2)),
                                adjusting(List.of()),
                                granted(JOINER, window(100, 300), host(3)),
                                starting(JOINER))
                        .at(101, adjusted())
                        .at(
                                102,
                                new ReservationActivated(LEASE, JOINER),
                                new LeaseActivated(LEASE));
        assertThat(life.account(300))
                .containsExactly(
                        "1 LOST 60-61",
                        "1 ACTIVE 61-300",
                        "2 LOST 60-61",
                        "2 ACTIVE 61-300",
                        "3 LOST 100-102",
                        "3 ACTIVE 102-300");
    }

    @Test
    void a_smaller_share_counts_from_the_confirmation_on() {
        LeaseEvent changed = new ReservationChanged(LEASE, R, Map.of());
        LeaseScenario life =
                new LeaseScenario()
                        .at(
                                0,
                                requested(window(60, 300)),
                                granted(window(60, 300), gib(1, 10), gib(2, 7)))
                        .at(60, starting(R), ACTIVATED)
                        .at(
                                100,
                                changed,
                                granted(window(100, 300), gib(1, 10), gib(2, 7)),
                                adjusting(List.of()))
                        .at(110, changed, granted(window(110, 300), gib(1, 4)), adjusted(2));

        assertThat(life.account(300))
                .containsExactly("1 ACTIVE 60-110", "1 ACTIVE 110-300", "2 ACTIVE 60-110");
        assertThat(LeaseAccounts.of(life.bookings(), minute(300)))
                .extracting(AccountEntry::promised)
                .containsExactly(gib(1, 10), gib(1, 4), gib(2, 7));
    }

    private static Allocation gib(long number, long amount) {
        return host(number).shared(new Share(1, Map.of("VOLUME_GB", amount)));
    }
}
