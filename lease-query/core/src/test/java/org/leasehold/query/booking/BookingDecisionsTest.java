package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.tenure;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;

import java.util.List;

/** Tests the bookings after decisions that change or end a lease, and after an import. */
class BookingDecisionsTest extends BookingFixture {

    @Test
    void an_early_end_keeps_the_past_of_a_booking() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.follow();
        journal.start(60, 1);
        journal.end(100, 1, EndCause.REQUESTED);
        journal.follow();

        assertThat(bookings())
                .containsExactly(
                        "1 ACTIVE 60-100 known from 9",
                        "1 ACTIVE 60-300 known from 8 to 9",
                        "1 PROMISED 60-100 known from 9",
                        "1 PROMISED 60-300 known from 6 to 9");
    }

    @Test
    void a_smaller_share_applies_from_the_decision() {
        journal.book(1, "astronomy", window(60, 300), share(1, 3));
        journal.follow();
        journal.grant(100, 1, window(60, 200), share(1, 2));
        journal.follow();

        assertThat(bookings())
                .containsExactly(
                        "1 PROMISED x2 100-200 known from 7",
                        "1 PROMISED x3 60-100 known from 7",
                        "1 PROMISED x3 60-300 known from 6 to 7");
    }

    @Test
    void a_replacement_applies_from_the_decision() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.append(
                100,
                new ResourceReplaced(
                        lease(1), reservation(1), new ResourceId(1), host(2), "it is broken"));
        journal.follow();

        assertThat(bookings())
                .containsExactly(
                        "1 PROMISED 60-100 known from 7",
                        "1 PROMISED 60-300 known from 6 to 7",
                        "2 PROMISED 100-300 known from 7");
    }

    @ParameterizedTest
    @EnumSource(names = {"DELETED", "MISSED"})
    void a_deletion_before_the_start_ends_the_promise_and_a_miss_keeps_it(EndCause cause) {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.end(cause == EndCause.DELETED ? 10 : 360, 1, cause);
        journal.append(400, new LeaseDeleted(lease(1)));
        journal.follow();

        assertThat(bookings())
                .containsExactlyElementsOf(
                        cause == EndCause.DELETED
                                ? List.of("1 PROMISED 60-300 known from 6 to 7")
                                : List.of("1 PROMISED 60-300 known from 6"));
    }

    @Test
    void a_forced_end_ends_the_booking() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.start(60, 1);
        journal.append(
                120,
                new ReservationReleased(lease(1), reservation(1)),
                new LeaseEnded(lease(1), EndCause.FORCED));
        journal.follow();

        assertThat(bookings())
                .contains("1 ACTIVE 60-120 known from 9", "1 PROMISED 60-120 known from 9");
        assertThat(count("known_to IS NULL")).isEqualTo(2);
    }

    @Test
    void an_imported_lease_is_known_from_the_import() {
        journal.book(1, "astronomy", window(-300, 300), host(1));
        journal.append(
                0,
                new LeaseImported(
                        lease(1),
                        new LeasePast(
                                LeasePast.Stage.ACTIVE,
                                null,
                                List.of(
                                        new LeasePast.OfReservation(
                                                reservation(1),
                                                LeasePast.Stage.ACTIVE,
                                                null,
                                                false,
                                                false,
                                                minute(-400),
                                                null)),
                                List.of(),
                                minute(-400),
                                null),
                        List.of(tenure(reservation(1)))));
        journal.follow();

        assertThat(bookings())
                .containsExactly(
                        "1 ACTIVE -300-300 known from 7", "1 PROMISED -300-300 known from 6");
    }
}
