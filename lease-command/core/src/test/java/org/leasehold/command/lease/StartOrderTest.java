package org.leasehold.command.lease;

import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the order in which the reservations of a lease start. */
class StartOrderTest extends LeaseLifeFixture {

    private static final Tenure HOST = tenure(10);
    private static final Tenure NETWORK = tenure(11);
    private static final Tenure SERVER = tenure(12);
    private static final Tenure STACK = tenure(13);

    private static final ReservationWish SERVER_WISH = wish(SERVER, LayeredPlugins.SERVER);
    private static final ReservationWish STACK_WISH = wish(STACK, LayeredPlugins.STACK);

    /** The kinds of the request are in no order. */
    private static final List<ReservationWish> WISHES =
            List.of(
                    STACK_WISH,
                    SERVER_WISH,
                    wish(HOST, LayeredPlugins.HOST),
                    wish(NETWORK, LayeredPlugins.NETWORK));

    private static final List<Tenure> ALL = List.of(STACK, SERVER, HOST, NETWORK);

    @Override
    @BeforeEach
    void prepare() {
        fixture =
                LeaseAggregateFixture.create(
                        new LayeredPlugins(),
                        LeaseSettings.defaults(),
                        calendar,
                        new UnlimitedLeaseCounts());
    }

    private static Tenure tenure(int number) {
        return new Tenure(new ReservationId(new UUID(0, number)), GENERATION);
    }

    private static Tenure next(Tenure tenure) {
        return new Tenure(tenure.reservation(), tenure.generation() + 1);
    }

    private static ReservationWish wish(Tenure tenure, ResourceKind kind) {
        return new ReservationWish(tenure.reservation(), kind, HostOnlyPlugins.parameters(1, 1));
    }

    @Test
    void a_reservation_waits_for_the_kinds_that_it_starts_after() {
        given(granted()).at(START).when(new StartLease(LEASE)).expectEvents(startingEvent());
    }

    @Test
    void a_reservation_starts_when_all_that_it_waits_for_are_active() {
        given(starting())
                .at(START)
                .when(new ConfirmStart(LEASE, NETWORK))
                .expectEvents(activated(NETWORK));
        prepare();
        given(with(starting(), activated(NETWORK)))
                .at(START)
                .when(new ConfirmStart(LEASE, HOST))
                .expectEvents(activated(HOST, SERVER));
        prepare();
        given(serverStarts())
                .at(START)
                .when(new ConfirmStart(LEASE, SERVER))
                .expectEvents(activated(SERVER, STACK));
    }

    @Test
    void a_lease_is_active_when_the_last_reservation_is_active() {
        given(with(serverStarts(), activated(SERVER, STACK)))
                .at(START)
                .when(new ConfirmStart(LEASE, STACK))
                .expectEvents(activated(STACK), new LeaseActivated(LEASE));
    }

    @Test
    void a_start_of_a_waiting_reservation_is_not_reported() {
        given(starting()).at(START).when(new ConfirmStart(LEASE, SERVER)).nothing();
        prepare();
        given(starting())
                .at(START)
                .when(new ReportFault(LEASE, SERVER, Action.START, fault()))
                .nothing();
    }

    @Test
    void kinds_order_only_the_reservations_of_the_lease() {
        List<LeaseEvent> stackAndHost =
                List.of(requested(List.of(STACK_WISH, WISHES.get(2))), grant(STACK), grant(HOST));
        given(stackAndHost)
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE, List.of(STACK, HOST), List.of(STACK.reservation())));
        prepare();
        given(requested(List.of(STACK_WISH)), grant(STACK))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(STACK)));
    }

    @Test
    void nothing_starts_while_what_it_needs_has_failed() {
        given(with(starting(), failed(HOST, Action.START)))
                .at(START)
                .when(new ConfirmStart(LEASE, NETWORK))
                .expectEvents(activated(NETWORK));
    }

    @Test
    void a_failure_does_not_stop_what_does_not_need_it() {
        given(with(serverStarts(), failed(SERVER, Action.START)))
                .at(START)
                .when(new ReportFault(LEASE, SERVER, Action.START, fault()))
                .nothing();
        prepare();
        LeaseEvent secondStack =
                new ReservationAdded(LEASE, wish(tenure(14), LayeredPlugins.NETWORK));
        given(
                        with(
                                with(granted(), secondStack, grant(tenure(14))),
                                new LeaseStarting(
                                        LEASE,
                                        List.of(SERVER, HOST, NETWORK, tenure(14)),
                                        List.of(SERVER.reservation())),
                                activated(HOST),
                                activated(NETWORK),
                                failed(tenure(14), Action.START)))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE,
                                List.of(STACK, SERVER, tenure(14)),
                                List.of(STACK.reservation(), SERVER.reservation())));
    }

    @Test
    void a_retry_continues_in_the_order() {
        given(with(starting(), activated(NETWORK), failed(HOST, Action.START)))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE,
                                List.of(STACK, SERVER, HOST),
                                List.of(STACK.reservation(), SERVER.reservation())));
        prepare();
        given(with(serverStarts(), failed(SERVER, Action.START)))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE, List.of(STACK, SERVER), List.of(STACK.reservation())));
    }

    @Test
    void an_adjustment_starts_what_waited_for_the_failed_reservation() {
        LeaseEvent adjusting = new ReservationAdjusting(LEASE, next(HOST), List.of(), List.of());
        given(with(starting(), activated(NETWORK), failed(HOST, Action.START), adjusting))
                .at(START)
                .when(new ConfirmAdjustment(LEASE, next(HOST)))
                .expectEvents(
                        new ReservationAdjusted(
                                LEASE, HOST.reservation(), List.of(), null, List.of(SERVER)));
    }

    @Test
    void an_adjustment_during_the_end_starts_nothing() {
        LeaseEvent adjusting = new ReservationAdjusting(LEASE, next(HOST), List.of(), List.of());
        given(
                        with(
                                starting(),
                                activated(NETWORK),
                                failed(HOST, Action.START),
                                adjusting,
                                new LeaseEnding(
                                        LEASE,
                                        EndCause.REQUESTED,
                                        List.of(STACK, SERVER, next(HOST), NETWORK))))
                .at(START)
                .when(new ConfirmAdjustment(LEASE, next(HOST)))
                .expectEvents(new ReservationAdjusted(LEASE, HOST.reservation(), List.of()));
    }

    @Test
    void a_waiting_reservation_cannot_change() {
        given(with(starting(), failed(HOST, Action.START)))
                .at(START)
                .when(change(SERVER))
                .rejected(new WrongStatus("Failed", "change a reservation that waits"));
    }

    @Test
    void a_failed_reservation_cannot_change_before_what_it_starts_after_is_active() {
        List<LeaseEvent> failed = with(serverStarts(), failed(SERVER, Action.START));
        WrongStatus rejection = new WrongStatus("Failed", "change a reservation that waits");
        given(with(failed, failed(HOST, Action.ADJUST)))
                .at(START)
                .when(change(SERVER))
                .rejected(rejection);
        prepare();
        given(failed).at(START).when(change(SERVER, NETWORK)).rejected(rejection);
        prepare();
        given(with(active(), failed(STACK, Action.ADJUST), failed(HOST, Action.ADJUST)))
                .at(START)
                .when(change(STACK))
                .rejected(rejection);
    }

    private static ChangeLease change(Tenure... changed) {
        return new ChangeLease(
                LEASE,
                null,
                null,
                null,
                null,
                Arrays.stream(changed)
                        .map(t -> new ReservationChange(t.reservation(), Map.of("max", 2)))
                        .toList());
    }

    @Test
    void reservations_added_to_an_active_lease_start_in_the_order() {
        given(
                        requested(List.of(wish(HOST, LayeredPlugins.HOST))),
                        grant(HOST, 1),
                        new LeaseStarting(LEASE, List.of(HOST)),
                        activated(HOST),
                        new LeaseActivated(LEASE))
                .at(START)
                .when(
                        new ChangeLease(
                                LEASE,
                                null,
                                null,
                                null,
                                null,
                                List.of(),
                                List.of(STACK_WISH, SERVER_WISH)))
                .expectEvents(
                        new ReservationAdded(LEASE, STACK_WISH),
                        new ReservationAdded(LEASE, SERVER_WISH),
                        grant(HOST, 1),
                        grant(STACK, 2),
                        grant(SERVER, 3),
                        new LeaseStarting(
                                LEASE,
                                List.of(next(STACK), next(SERVER)),
                                List.of(STACK.reservation())));
    }

    @Test
    void all_reservations_end_at_once() {
        given(active())
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, ALL));
    }

    @Test
    void reservations_that_never_started_are_taken_back_too() {
        given(serverStarts())
                .at(START)
                .when(new EndLease(LEASE, EndCause.REQUESTED))
                .expectEvents(new LeaseEnding(LEASE, EndCause.REQUESTED, ALL));
    }

    private static LeaseEvent requested(List<ReservationWish> wishes) {
        return new LeaseRequested(LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, wishes, null);
    }

    private static LeaseEvent grant(Tenure tenure) {
        return grant(tenure, tenure.reservation().value().getLeastSignificantBits());
    }

    private static LeaseEvent grant(Tenure tenure, long host) {
        return new ReservationGranted(
                LEASE, tenure.reservation(), PERIOD, Duration.ZERO, List.of(allocation(host)));
    }

    private static List<LeaseEvent> granted() {
        return List.of(requested(WISHES), grant(STACK), grant(SERVER), grant(HOST), grant(NETWORK));
    }

    private static LeaseEvent startingEvent() {
        return new LeaseStarting(LEASE, ALL, List.of(STACK.reservation(), SERVER.reservation()));
    }

    static List<LeaseEvent> starting() {
        return with(granted(), startingEvent());
    }

    private static List<LeaseEvent> serverStarts() {
        return with(starting(), activated(NETWORK), activated(HOST, SERVER));
    }

    static List<LeaseEvent> active() {
        return with(
                serverStarts(),
                activated(SERVER, STACK),
                activated(STACK),
                new LeaseActivated(LEASE));
    }

    private static LeaseEvent activated(Tenure tenure, Tenure... next) {
        return new ReservationActivated(LEASE, tenure.reservation(), null, orNull(next));
    }

    private static @Nullable List<Tenure> orNull(Tenure... tenures) {
        return tenures.length == 0 ? null : List.of(tenures);
    }

    private static LeaseEvent failed(Tenure tenure, Action action) {
        return new ReservationFailed(LEASE, tenure.reservation(), action, fault());
    }

    private static Fault fault() {
        return new Fault(Fault.Kind.PERMANENT, "no answer");
    }
}
