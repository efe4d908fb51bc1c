package org.leasehold.query.booking;

import static org.leasehold.query.booking.BookingEventLog.minute;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar.Booking;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.calendar.BookingCalendar.Line;
import org.leasehold.readmodel.calendar.BookingCalendar.ListBookings;
import org.leasehold.readmodel.calendar.BookingCalendar.Taken;
import org.leasehold.vocabulary.ProjectId;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** An event log with bookings, and pages of the calendar as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresCalendarQueryFixture {

    static final Filter ANY = new Filter(null, null, null, null);

    final BookingEventLog journal = new BookingEventLog();

    @AfterAll
    void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        journal.enrol(1, "physical:host");
        journal.enrol(2, "physical:host");
        journal.enrol(9, "virtual:network");
    }

    static String marker(long resource, Instant starts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                        (resource + " " + starts + " 00000000-0000-0000-0000-000000000000")
                                .getBytes(StandardCharsets.UTF_8));
    }

    static ListBookings question(
            @Nullable String asker, Filter filter, Instant from, Instant to, @Nullable Long asOf) {
        return new ListBookings(
                asker == null ? null : new ProjectId(asker), filter, from, to, asOf, null, 1000);
    }

    Page<Line> page(@Nullable String asker, Filter filter) {
        return page(asker, filter, null, 1000);
    }

    Page<Line> page(@Nullable String asker, Filter filter, @Nullable String marker, int limit) {
        return journal.calendar.page(
                new ListBookings(
                        asker == null ? null : new ProjectId(asker),
                        filter,
                        minute(0),
                        minute(1000),
                        null,
                        marker,
                        limit));
    }

    List<String> lines(@Nullable String asker, Filter filter) {
        return lines(page(asker, filter));
    }

    List<String> lines(ListBookings question) {
        return lines(journal.calendar.page(question));
    }

    /** Returns lines such as {@code 1 taken 60-120}. */
    List<String> lines(Page<Line> page) {
        return page.items().stream()
                .map(
                        line ->
                                "%s %s %s-%s"
                                        .formatted(
                                                line.resource(),
                                                switch (line) {
                                                    case Taken _ -> "taken";
                                                    case Booking booking -> booking.project();
                                                },
                                                minutes(line.starts()),
                                                minutes(line.ends())))
                .toList();
    }

    private static long minutes(Instant instant) {
        return Duration.between(BookingEventLog.NOON, instant).toMinutes();
    }
}
