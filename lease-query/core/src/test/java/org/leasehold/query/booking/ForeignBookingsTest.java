package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar.Line;

import java.util.List;

/** Tests what a project sees of bookings of other projects. */
class ForeignBookingsTest extends PostgresCalendarQueryFixture {

    @Test
    void a_project_sees_a_booking_of_another_project_only_as_taken() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.book(2, "biology", window(120, 180), host(1));
        journal.follow();

        assertThat(lines("astronomy", ANY))
                .containsExactly("1 astronomy 60-120", "1 taken 120-180");
        assertThat(lines("biology", ANY)).containsExactly("1 taken 60-120", "1 biology 120-180");
        assertThat(lines(null, ANY)).containsExactly("1 astronomy 60-120", "1 biology 120-180");
    }

    @Test
    void foreign_bookings_merge_into_indistinguishable_periods() {
        journal.book(1, "biology", window(60, 120), share(1, 1));
        journal.book(2, "chemistry", window(90, 150), share(1, 2));
        journal.book(3, "chemistry", window(150, 180), host(1));
        journal.book(4, "biology", window(200, 240), host(1));
        journal.book(5, "astronomy", window(100, 110), share(1, 1));
        journal.follow();
        List<String> several = lines("astronomy", ANY);

        journal.empty();
        journal.enrol(1, "physical:host");
        journal.book(6, "physics", window(60, 180), host(1));
        journal.book(7, "physics", window(200, 240), share(1, 5));
        journal.book(5, "astronomy", window(100, 110), share(1, 1));
        journal.follow();

        assertThat(lines("astronomy", ANY))
                .isEqualTo(several)
                .containsExactly("1 taken 60-180", "1 astronomy 100-110", "1 taken 200-240");
    }

    @Test
    void a_foreign_booking_is_cut_to_the_queried_window() {
        journal.book(1, "biology", window(0, 100), host(1));
        journal.book(2, "chemistry", window(100, 500), host(1));
        journal.book(3, "astronomy", window(-50, 60), host(2));
        journal.follow();

        assertThat(lines(question("astronomy", ANY, minute(50), minute(300), null)))
                .containsExactly("1 taken 50-300", "2 astronomy -50-60");
    }

    @Test
    void a_page_and_the_marker_hide_the_number_of_foreign_bookings() {
        for (int lease = 1; lease <= 20; lease++) {
            journal.book(lease, "biology", window(lease * 10L, lease * 10L + 10), host(1));
        }
        journal.book(21, "biology", window(10, 20), host(2));
        journal.follow();
        Page<Line> several = page("astronomy", ANY, null, 1);

        journal.empty();
        journal.enrol(1, "physical:host");
        journal.enrol(2, "physical:host");
        journal.book(1, "chemistry", window(10, 210), host(1));
        journal.book(21, "biology", window(10, 20), host(2));
        journal.follow();
        Page<Line> one = page("astronomy", ANY, null, 1);

        assertThat(one).isEqualTo(several);
        assertThat(lines(one)).containsExactly("1 taken 10-210");
        Page<Line> last = page("astronomy", ANY, one.next(), 1);
        assertThat(lines(last)).containsExactly("2 taken 10-20");
        assertThat(last.next()).isNull();
    }

    @Test
    void a_marker_within_a_foreign_period_finds_no_booking() {
        journal.book(1, "biology", window(60, 120), host(1));
        journal.book(2, "chemistry", window(120, 180), host(1));
        journal.follow();

        for (long minute : new long[] {61, 119, 120, 121, 179}) {
            assertThat(page("astronomy", ANY, marker(1, minute(minute)), 10).items()).isEmpty();
        }
        assertThat(lines(page("astronomy", ANY, marker(1, minute(59)), 10)))
                .containsExactly("1 taken 60-180");
    }

    /** The changes from one position to the next would reveal the others. */
    @Test
    void a_query_as_of_a_position_hides_foreign_bookings() {
        journal.book(1, "biology", window(60, 120), host(1));
        long one = journal.database.head();
        journal.book(2, "chemistry", window(120, 180), host(1));
        journal.follow();

        for (long position = 0; position <= journal.database.head(); position++) {
            assertThat(lines(question("astronomy", ANY, minute(0), minute(1000), position)))
                    .isEmpty();
        }
        assertThat(lines(question(null, ANY, minute(0), minute(1000), one)))
                .containsExactly("1 biology 60-120");
    }
}
