package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.LeaseRejection.LastReservation;
import org.leasehold.lease.LeaseRejection.LeaseOver;
import org.leasehold.lease.LeaseRejection.ReservationNeeded;
import org.leasehold.lease.LeaseRejection.TooManyReservations;
import org.leasehold.lease.LeaseRejection.UnknownRemoval;
import org.leasehold.lease.LeaseRejection.UnknownReservations;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Tests which removals a lease rejects. */
class RemovalRulesTest extends RemovalFixture {

    @Test
    void the_last_reservation_cannot_be_removed() {
        given(pairGranted())
                .when(remove(HOST, NETWORK))
                .rejected(new LastReservation(NETWORK.reservation()));
    }

    @Test
    void the_last_reservation_beside_released_ones_cannot_be_removed() {
        given(importedWithReleased(HOST))
                .at(START)
                .when(remove(NETWORK))
                .rejected(new LastReservation(NETWORK.reservation()));
    }

    @Test
    void a_released_reservation_needs_no_other_one() {
        given(
                        with(
                                importedWithReleased(SERVER),
                                new ReservationAdded(LEASE, JOINER_WISH),
                                grant(JOINER, 2),
                                new LeaseStarting(LEASE, List.of(new Tenure(JOINER, 8))),
                                new ReservationActivated(LEASE, JOINER),
                                new LeaseActivated(LEASE)))
                .at(START)
                .when(remove(NETWORK))
                .expectEvents(removed(NETWORK, NETWORK));
    }

    /** Returns an imported lease of a network, and of another reservation that was deleted. */
    private static List<LeaseEvent> importedWithReleased(Tenure deleted) {
        ResourceKind kind = deleted.equals(HOST) ? LayeredPlugins.HOST : LayeredPlugins.SERVER;
        List<ReservationWish> wishes =
                List.of(
                        wish(deleted.reservation(), kind),
                        wish(NETWORK.reservation(), LayeredPlugins.NETWORK));
        LeasePast past =
                new LeasePast(
                        Stage.ACTIVE,
                        null,
                        List.of(past(deleted, Stage.ENDED), past(NETWORK, Stage.ACTIVE)),
                        List.of(),
                        NOW,
                        null);
        return List.of(
                new LeaseRequested(LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, wishes, null),
                grant(NETWORK.reservation(), 2),
                new LeaseImported(LEASE, past, List.of(NETWORK)));
    }

    private static LeasePast.OfReservation past(Tenure reservation, Stage stage) {
        return new LeasePast.OfReservation(
                reservation.reservation(), stage, null, false, false, NOW, null);
    }

    @Test
    void an_unknown_reservation_cannot_be_removed() {
        given(pairGranted())
                .when(remove(NETWORK, SERVER))
                .rejected(new UnknownRemoval(1, SERVER.reservation()));
    }

    @Test
    void a_removed_reservation_is_unknown() {
        given(with(pairActive(), removed(NETWORK, NETWORK)))
                .at(START)
                .when(remove(NETWORK))
                .rejected(new UnknownRemoval(0, NETWORK.reservation()));
        prepare();
        ChangeLease both =
                new ChangeLease(
                        LEASE,
                        null,
                        null,
                        null,
                        null,
                        List.of(new ReservationChange(NETWORK.reservation(), Map.of("max", 2))),
                        List.of(),
                        List.of(NETWORK.reservation()));
        given(pairActive())
                .at(START)
                .when(both)
                .rejected(new UnknownReservations(List.of(NETWORK.reservation().toString())));
    }

    @Test
    void a_reservation_that_another_one_starts_after_cannot_be_removed() {
        given(withServer())
                .when(remove(NETWORK))
                .rejected(new ReservationNeeded(NETWORK.reservation(), SERVER.reservation()));
    }

    @Test
    void the_order_is_checked_after_the_exchange() {
        given(withServer())
                .when(remove(NETWORK, SERVER))
                .expectEvents(
                        removed(NETWORK, null),
                        removed(SERVER, null),
                        released(NETWORK),
                        released(SERVER));
        prepare();
        ReservationWish joining = wish(JOINER, LayeredPlugins.SERVER);
        given(pairActive())
                .at(START)
                .when(exchange(NETWORK, joining))
                .expectEvents(
                        new ReservationAdded(LEASE, joining),
                        removed(NETWORK, NETWORK),
                        grant(HOST.reservation(), 1),
                        grant(JOINER, 2),
                        new LeaseStarting(LEASE, List.of(new Tenure(JOINER, GENERATION + 1))));
    }

    @Test
    void a_repeated_addition_does_not_bring_a_removed_reservation_back() {
        List<LeaseEvent> gone = with(pairGranted(), removed(HOST, null), released(HOST));
        given(gone).when(add(WISHES.getFirst())).nothing();
        prepare();
        given(with(pairActive(), removed(HOST, HOST)))
                .at(START)
                .when(add(WISHES.getFirst()))
                .nothing();
    }

    @Test
    void an_unreleased_reservation_counts_against_the_limit() {
        LeaseEvent[] grown =
                IntStream.range(0, 98)
                        .mapToObj(i -> new ReservationId(new UUID(2, i)))
                        .map(id -> new ReservationAdded(LEASE, wish(id, LayeredPlugins.HOST)))
                        .toArray(LeaseEvent[]::new);
        List<LeaseEvent> full = with(pairActive(), grown);

        given(full)
                .at(START)
                .when(exchange(NETWORK, JOINER_WISH))
                .rejected(new TooManyReservations(100));
        prepare();
        given(with(pairGranted(), grown)).when(exchange(NETWORK, JOINER_WISH));
        assertThat(((Hold) calendar.requests().getLast()).wanted()).hasSize(100);
    }

    @Test
    void a_starting_ending_or_ended_lease_rejects_a_removal() {
        given(pairStarting()).at(START).when(remove(NETWORK)).rejected(wrong("Starting"));
        prepare();
        given(ending()).at(START).when(remove(RESERVATION)).rejected(wrong("Ending"));
        prepare();
        given(ended()).at(START).when(remove(RESERVATION)).rejected(new LeaseOver(END));
    }

    private static WrongStatus wrong(String status) {
        return new WrongStatus(status, "change");
    }
}
