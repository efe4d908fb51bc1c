package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A test of the selection of charged leases, in any state; times are minutes after noon. */
class PostgresChargesTest extends PostgresChargesFixture {

    private static final long DAY = 24 * 60;

    private List<String> lines(@Nullable String project, long from, long to, long now) {
        journal.follow();
        return lines(charges().page(question(project, from, to, now, 100)).items());
    }

    /** Returns the charges as of an event, without later ones. */
    private List<String> knownThen(long position, long from, long to, long now) {
        var question =
                new ListCharges(null, minute(from), minute(to), minute(now), position, null, 100);
        return lines(charges().page(question).items());
    }

    private List<String> lines(List<LeaseCharges> leases) {
        List<String> lines = new ArrayList<>();
        for (LeaseCharges lease : leases) {
            for (Charge charge : lease.charges()) {
                lines.add(
                        "%s %s %s %s"
                                .formatted(
                                        lease.lease().value().getLeastSignificantBits(),
                                        lease.project(),
                                        charge.what(),
                                        charge.amount().amount()));
            }
        }
        return lines;
    }

    @Test
    void a_lease_is_charged_for_the_part_inside_the_window() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.start(60, 1);
        assertThat(lines(null, 120, 180, 1000)).containsExactly("1 astronomy USAGE 6.00");
        assertThat(lines(null, 0, 1000, 1000))
                .containsExactly("1 astronomy RESERVATION_FEE 1.00", "1 astronomy USAGE 24.00");
        assertThat(lines(null, 300, 1000, 1000)).isEmpty();
    }

    @Test
    void a_lease_is_charged_only_up_to_the_current_time() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.start(60, 1);
        assertThat(lines(null, 60, 300, 120)).containsExactly("1 astronomy USAGE 6.00");
        assertThat(lines(null, 200, 300, 120)).isEmpty();
    }

    @Test
    void a_reservation_fee_is_charged_when_a_reservation_is_granted() {
        journal.book(1, "astronomy", window(9 * DAY, 9 * DAY + 60), host(1));
        journal.book(2, "astronomy", window(60, 300), host(1));
        journal.end(30, 2, EndCause.DELETED);
        assertThat(lines(null, 0, 40, 1000))
                .containsExactly(
                        "1 astronomy RESERVATION_FEE 1.00", "2 astronomy RESERVATION_FEE 1.00");
        assertThat(lines(null, 5 * DAY, 6 * DAY, 10 * DAY)).isEmpty();
    }

    @Test
    void charges_as_of_a_position_ignore_later_events() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        long booked = new Stored().last();
        journal.start(60, 1);
        long started = new Stored().last();
        journal.end(120, 1, EndCause.REQUESTED);
        journal.book(2, "biology", window(200, 300), host(1));
        journal.follow();

        assertThat(knownThen(booked, 0, 300, 180))
                .as("nobody knew that it had begun")
                .containsExactly(
                        "1 astronomy RESERVATION_FEE 1.00",
                        "1 astronomy USAGE 12.00",
                        "1 astronomy CREDIT -12.00");
        assertThat(knownThen(started, 0, 300, 180))
                .as("nor, later, that it had ended")
                .containsExactly("1 astronomy RESERVATION_FEE 1.00", "1 astronomy USAGE 12.00");
        assertThat(knownThen(started, 130, 300, 180))
                .as("what has been given up since")
                .containsExactly("1 astronomy USAGE 5.00");
        assertThat(lines(null, 0, 300, 180))
                .containsExactly(
                        "1 astronomy RESERVATION_FEE 1.00",
                        "1 astronomy USAGE 6.00",
                        "2 biology RESERVATION_FEE 1.00");
        assertThat(knownThen(0, 0, 300, 180)).isEmpty();
    }

    @Test
    void a_list_contains_only_the_charges_of_the_requested_project() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.book(2, "biology", window(60, 300), host(1));
        journal.start(60, 1);
        journal.start(60, 2);
        assertThat(lines("biology", 60, 300, 1000)).containsExactly("2 biology USAGE 24.00");
    }

    @Test
    void resources_of_a_kind_without_a_rate_cost_nothing() {
        journal.book(1, "astronomy", window(60, 300), host(2));
        journal.start(60, 1);
        assertThat(lines(null, 60, 300, 1000)).isEmpty();
    }

    @Test
    void an_empty_page_has_a_marker_for_the_next_page() {
        for (int lease = 1; lease <= 5; lease++) {
            journal.book(lease, "astronomy", window(60, 300), host(lease == 2 ? 2 : 1));
            journal.start(60, lease);
        }
        journal.follow();
        ListCharges question = question(null, 60, 300, 1000, 1);
        List<String> lines = new ArrayList<>();
        int pages = 0;
        for (ListCharges next = question; next != null; pages++) {
            Page<LeaseCharges> page = charges().page(next);
            lines.addAll(lines(page.items()));
            next = page.next() == null ? null : question.after(page.next());
        }
        assertThat(pages).isEqualTo(5);
        assertThat(lines)
                .containsExactly(
                        "1 astronomy USAGE 24.00",
                        "3 astronomy USAGE 24.00",
                        "4 astronomy USAGE 24.00",
                        "5 astronomy USAGE 24.00");
        assertThatThrownBy(() -> charges().page(question.after("nonsense")))
                .isInstanceOf(UnknownMarker.class);
    }

    @Test
    void a_quote_contains_the_fee_and_the_usage_of_the_whole_window() {
        var promise =
                List.of(
                        new LeaseRequested(
                                lease(1),
                                new ProjectId("astronomy"),
                                new UserId("ada"),
                                "a lease",
                                window(60, 300),
                                null,
                                List.of(
                                        new ReservationWish(
                                                reservation(1),
                                                ResourceKind.PHYSICAL_HOST,
                                                Map.of())),
                                null),
                        new ReservationGranted(
                                lease(1),
                                reservation(1),
                                window(60, 300),
                                Duration.ofMinutes(5),
                                List.of(host(1))));
        assertThat(charges().quote(promise, minute(0)))
                .extracting(charge -> charge.what() + " " + charge.amount())
                .containsExactly("RESERVATION_FEE 1.00 EUR", "USAGE 24.00 EUR");
    }

    @Test
    void an_export_contains_the_charges_of_all_pages() throws IOException {
        for (int lease = 1; lease <= 5; lease++) {
            journal.book(lease, lease == 4 ? "biology" : "astronomy", window(60, 300), host(1));
            journal.start(60, lease);
        }
        journal.follow();
        StringBuilder csv = new StringBuilder();
        new FocusCsvExport(charges())
                .write(question(null, 0, 1000, 1000, 2), "cloud-1", UnaryOperator.identity(), csv);
        ParsedFocusCsv sheet = ParsedFocusCsv.of(csv.toString());
        assertThat(FocusRules.broken(sheet)).isEmpty();
        assertThat(sheet.rows())
                .extracting(
                        row ->
                                "%s %s %s"
                                        .formatted(
                                                row.get("SubAccountId"),
                                                row.get("ChargeCategory"),
                                                row.get("BilledCost")))
                .containsExactly(
                        "astronomy Purchase 1.00",
                        "astronomy Usage 24.00",
                        "astronomy Purchase 1.00",
                        "astronomy Usage 24.00",
                        "astronomy Purchase 1.00",
                        "astronomy Usage 24.00",
                        "biology Purchase 1.00",
                        "biology Usage 24.00",
                        "astronomy Purchase 1.00",
                        "astronomy Usage 24.00");
    }
}
