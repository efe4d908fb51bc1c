package org.leasehold.query.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.Life.JOINER;
import static org.leasehold.query.account.Life.LEASE;
import static org.leasehold.query.account.Life.R;
import static org.leasehold.query.account.Life.active;
import static org.leasehold.query.account.Life.deleted;
import static org.leasehold.query.account.Life.ended;
import static org.leasehold.query.account.Life.ending;
import static org.leasehold.query.account.Life.granted;
import static org.leasehold.query.account.Life.host;
import static org.leasehold.query.account.Life.minute;
import static org.leasehold.query.account.Life.pending;
import static org.leasehold.query.account.Life.released;
import static org.leasehold.query.account.Life.requested;
import static org.leasehold.query.account.Life.share;
import static org.leasehold.query.account.Life.starting;
import static org.leasehold.query.account.Life.tenures;
import static org.leasehold.query.account.Life.window;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A test of accounts: a decision replaces the future after its instant, and never the past. */
class AccountsTest {

    private static final LeaseEvent ACTIVATED = new ReservationActivated(LEASE, R);

    private static LeaseEvent replaced(long replaced, Allocation replacement) {
        return new ResourceReplaced(LEASE, R, new ResourceId(replaced), replacement, "it is late");
    }

    private static LeaseEvent adjusting(List<Long> joining, Allocation... leaving) {
        return new ReservationAdjusting(
                LEASE,
                new Tenure(R, 2),
                joining.stream().map(ResourceId::new).toList(),
                List.of(leaving));
    }

    private static LeaseEvent adjusted(long... left) {
        return new ReservationAdjusted(
                LEASE, R, Arrays.stream(left).mapToObj(ResourceId::new).toList());
    }

    private static LeaseEvent failed(Action action) {
        return new ReservationFailed(
                LEASE, R, action, new Fault(Fault.Kind.PERMANENT, "it is broken"));
    }

    @Test
    void a_lease_on_time_loses_what_the_cloud_took_to_begin() {
        Life life = active().at(300, ending(EndCause.WINDOW_OVER, R)).at(303, released(R));
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
    void nothing_is_accounted_for_that_is_still_to_come() {
        assertThat(pending().account(60)).isEmpty();
        assertThat(active().account(100))
                .containsExactly(
                        "1 LOST 60-61", "1 ACTIVE 61-100", "2 LOST 60-61", "2 ACTIVE 61-100");
    }

    @Test
    void what_is_promised_is_known_before_it_comes() {
        assertThat(pending().bookings().stretches())
                .extracting(stretch -> minute(stretch.starts()) + "-" + minute(stretch.ends()))
                .containsExactly("60-300", "60-300");
    }

    @Test
    void a_late_start_is_lost() {
        Life life =
                pending()
                        .at(60, new LeaseDelayed(LEASE, List.of(JOINER), "another has it"))
                        .at(90, starting(R))
                        .at(100, ACTIVATED);
        assertThat(life.account(200))
                .containsExactly(
                        "1 LOST 60-100", "1 ACTIVE 100-200", "2 LOST 60-100", "2 ACTIVE 100-200");
    }

    @Test
    void an_early_end_keeps_what_was() {
        Life life = active().at(200, ending(EndCause.REQUESTED, R)).at(210, released(R));
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
    void an_end_that_is_asked_for_again_has_begun_once() {
        Life life =
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
        Life life = active().at(320, ending(EndCause.WINDOW_OVER, R)).at(325, released(R));
        assertThat(life.account(1000)).contains("1 ACTIVE 61-300", "1 OVERRUN 300-325");
    }

    @Test
    void what_is_prolonged_goes_on() {
        Life life =
                active().at(250, granted(window(250, 400), host(1), host(2)), adjusting(List.of()))
                        .at(251, adjusted())
                        .at(400, ending(EndCause.WINDOW_OVER, R), released(R));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-61", "1 ACTIVE 61-400", "2 LOST 60-61", "2 ACTIVE 61-400");
    }

    @Test
    void a_host_that_leaves_is_no_longer_promised_and_in_its_hands_until_it_has_gone() {
        Life life =
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
    void a_host_that_joins_is_lost_until_it_is_there() {
        Life life =
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
    void a_host_that_could_not_join_is_lost_and_the_others_run() {
        Life life =
                active().at(
                                100,
                                granted(window(100, 300), host(1), host(2), host(3)),
                                adjusting(List.of(3L)))
                        .at(110, failed(Action.ADJUST));
        assertThat(life.account(300)).contains("1 ACTIVE 61-300", "3 LOST 100-300");
    }

    @Test
    void a_host_that_comes_back_before_it_has_left_is_given_anew() {
        Life life =
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
    void what_is_moved_before_its_start_counts_where_it_is_moved_to() {
        Life life =
                pending()
                        .at(30, granted(window(90, 200), host(1)))
                        .at(90, starting(R), ACTIVATED)
                        .at(200, ending(EndCause.WINDOW_OVER, R), released(R));
        assertThat(life.account(1000)).containsExactly("1 ACTIVE 90-200");
    }

    @Test
    void a_host_that_is_replaced_before_the_start_was_never_had() {
        Life life = pending().at(40, replaced(2, host(3))).at(60, starting(R), ACTIVATED);
        assertThat(life.account(300)).containsExactly("1 ACTIVE 60-300", "3 ACTIVE 60-300");
    }

    @Test
    void a_host_that_is_replaced_at_a_late_start_was_lost_until_then() {
        Life life = pending().at(70, replaced(2, host(3)), starting(R)).at(75, ACTIVATED);
        assertThat(life.account(300))
                .containsExactly(
                        "1 LOST 60-75",
                        "1 ACTIVE 75-300",
                        "2 LOST 60-70",
                        "3 LOST 70-75",
                        "3 ACTIVE 75-300");
    }

    @Test
    void a_refused_change_changes_nothing() {
        Life life =
                active().at(
                                100,
                                new LeaseChangeRefused(
                                        LEASE, window(60, 900), List.of(), List.of(), 7));
        assertThat(life.account(300)).isEqualTo(active().account(300));
    }

    @Test
    void a_failed_start_is_lost_and_holds_its_hosts_until_they_are_clean() {
        Life life =
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
    void a_start_that_is_tried_again_counts_when_it_succeeds() {
        Life life =
                pending()
                        .at(60, starting(R))
                        .at(65, failed(Action.START))
                        .at(120, starting(R))
                        .at(125, ACTIVATED);
        assertThat(life.account(300)).contains("1 LOST 60-125", "1 ACTIVE 125-300");
    }

    @Test
    void what_runs_runs_on_when_its_preparation_or_its_announcement_fails() {
        Life life = active().at(250, failed(Action.BEFORE_END)).at(260, failed(Action.PREPARE));
        assertThat(life.account(300)).isEqualTo(active().account(300));
    }

    @Test
    void a_missed_window_is_lost_as_a_whole() {
        Life life = pending().at(310, ending(EndCause.MISSED), released(R), ended(EndCause.MISSED));
        assertThat(life.account(1000)).containsExactly("1 LOST 60-300", "2 LOST 60-300");
    }

    @Test
    void a_lease_that_an_operator_gave_up_ends_then() {
        Life life = active().at(150, released(R), ended(EndCause.FORCED));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-61", "1 ACTIVE 61-150", "2 LOST 60-61", "2 ACTIVE 61-150");
    }

    @Test
    void a_lease_that_is_given_up_while_it_ends_had_its_hosts_until_then() {
        Life life =
                active().at(200, ending(EndCause.REQUESTED, R))
                        .at(250, released(R), ended(EndCause.FORCED));
        assertThat(life.account(1000)).contains("1 ACTIVE 61-200", "1 OVERRUN 200-250");
    }

    @Test
    void what_is_deleted_before_its_start_had_nothing() {
        Life life =
                pending()
                        .at(
                                30,
                                ending(EndCause.DELETED),
                                released(R),
                                ended(EndCause.DELETED),
                                deleted());
        assertThat(life.account(1000)).isEmpty();
        assertThat(life.bookings().stretches()).isEmpty();
    }

    @Test
    void what_is_deleted_while_it_runs_had_what_it_had() {
        Life life =
                active().at(100, ending(EndCause.DELETED, R))
                        .at(102, released(R), ended(EndCause.DELETED), deleted());
        assertThat(life.account(1000))
                .contains("1 LOST 60-61", "1 ACTIVE 61-100", "1 OVERRUN 100-102");
    }

    private static LeaseEvent down(long host) {
        return new ResourceFailed(LEASE, R, new ResourceId(host), "it is down");
    }

    private static LeaseEvent up(long host) {
        return new ResourceRecovered(LEASE, R, new ResourceId(host));
    }

    @Test
    void what_is_down_is_lost_until_it_is_there_again() {
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
    void what_is_down_when_it_is_given_is_lost_until_then() {
        Life life = pending().at(60, starting(R)).at(61, down(1)).at(62, ACTIVATED).at(70, up(1));
        assertThat(life.account(100))
                .contains("1 LOST 60-70", "1 ACTIVE 70-100", "2 ACTIVE 62-100");
    }

    @Test
    void what_is_down_at_the_end_is_lost_until_then_and_in_its_hands_until_the_cloud_is_clean() {
        Life life = active().at(100, down(1)).at(200, ending(EndCause.REQUESTED, R));
        assertThat(life.at(250, released(R)).account(1000))
                .contains("1 ACTIVE 61-100", "1 LOST 100-200", "1 OVERRUN 200-250");
    }

    @Test
    void what_left_while_it_was_down_is_whole_when_it_returns() {
        Life life =
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
    void a_reservation_that_joins_counts_from_then_on() {
        Life life =
                active().at(
                                100,
                                new ReservationAdded(LEASE, Life.wish(JOINER)),
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

    private static LeaseEvent imported(Stage stage, ReservationId... holding) {
        return new LeaseImported(
                LEASE,
                new LeasePast(
                        stage,
                        null,
                        List.of(
                                new LeasePast.OfReservation(
                                        R, stage, null, false, false, minute(-60), null)),
                        List.of(),
                        minute(-60),
                        null),
                tenures(holding));
    }

    @Test
    void what_was_active_elsewhere_was_so_since_its_window_began() {
        LeasePeriod window = window(-30, 120);
        Life life =
                new Life()
                        .at(0, requested(window), granted(window, host(1)))
                        .at(0, imported(Stage.ACTIVE, R))
                        .at(120, ending(EndCause.WINDOW_OVER, R))
                        .at(121, released(R));
        assertThat(life.account(1000)).containsExactly("1 ACTIVE -30-120", "1 OVERRUN 120-121");
    }

    @Test
    void what_failed_elsewhere_is_lost_until_it_is_tried_again() {
        LeasePeriod window = window(-30, 120);
        Life life =
                new Life()
                        .at(0, requested(window), granted(window, host(1)))
                        .at(0, imported(Stage.FAILED, R))
                        .at(20, starting(R))
                        .at(25, ACTIVATED);
        assertThat(life.account(100)).containsExactly("1 LOST -30-25", "1 ACTIVE 25-100");
    }

    @Test
    void of_what_ended_elsewhere_nothing_is_known() {
        Life life = new Life().at(0, requested(window(-90, -30)), imported(Stage.ENDED));
        assertThat(life.account(1000)).isEmpty();
    }

    /** A request for "now" names the current minute; an earlier lease may still have been there. */
    @Test
    void a_start_at_once_counts_from_when_it_was_granted() {
        Life life =
                new Life()
                        .at(61, requested(window(60, 120)), granted(window(61, 120), host(1)))
                        .at(61, starting(R))
                        .at(62, ACTIVATED);
        assertThat(life.account(120)).containsExactly("1 LOST 61-62", "1 ACTIVE 62-120");
    }

    @Test
    void shares_count_by_their_slots() {
        Life life =
                new Life()
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
    void time_is_counted_times_the_slots() {
        Life life =
                new Life()
                        .at(0, requested(window(60, 300)), granted(window(60, 300), share(1, 3)))
                        .at(60, starting(R), ACTIVATED);
        assertThat(Accounts.of(life.bookings(), minute(70)))
                .extracting(Entry::time)
                .containsExactly(Duration.ofMinutes(30));
    }

    @Test
    void what_lasts_for_no_time_is_not_there() {
        Life life =
                pending()
                        .at(60, starting(R), ACTIVATED)
                        .at(60, ending(EndCause.REQUESTED, R), released(R));
        assertThat(life.bookings().stretches()).isEmpty();
    }

    @Test
    void what_is_decided_counts_by_the_microsecond() {
        var start = minute(60);
        Life life = pending();
        life.bookings().apply(starting(R), start.plusNanos(1_999));
        life.bookings().apply(ACTIVATED, start.plusNanos(2_001));
        assertThat(Accounts.of(life.bookings(), minute(61)))
                .extracting(Entry::time)
                .containsExactlyInAnyOrder(
                        Duration.ofNanos(2_000),
                        Duration.ofMinutes(1).minusNanos(2_000),
                        Duration.ofNanos(2_000),
                        Duration.ofMinutes(1).minusNanos(2_000));
    }
}
