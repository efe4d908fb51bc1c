package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.BookingCalendar.Booking;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.calendar.BookingCalendar.Line;
import org.leasehold.readmodel.calendar.BookingCalendar.ListBookings;
import org.leasehold.readmodel.calendar.BookingCalendar.Taken;
import org.leasehold.vocabulary.ProjectId;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;

class PostgresCalendarTest {

    private static final Filter ANY = new Filter(null, null, null, null);

    private static BookingEventLog journal;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        journal.enrol(1, "physical:host");
        journal.enrol(2, "physical:host");
        journal.enrol(9, "virtual:network");
    }

    @Test
    void an_unrestricted_caller_sees_the_project_of_a_booking() {
        journal.book(1, "astronomy", window(60, 120), share(1, 3));
        journal.follow();

        assertThat(page(null, ANY).items())
                .containsExactly(
                        new Booking(
                                new ResourceId(1),
                                minute(60),
                                minute(120),
                                ResourceKind.PHYSICAL_HOST,
                                new ProjectId("astronomy"),
                                lease(1),
                                reservation(1),
                                3));
    }

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

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void pages_together_equal_the_whole_list(int limit) {
        SplittableRandom random = new SplittableRandom(limit);
        for (int lease = 1; lease <= 60; lease++) {
            long start = random.nextInt(500);
            journal.book(
                    lease,
                    List.of("astronomy", "biology", "chemistry").get(random.nextInt(3)),
                    window(start, start + 1 + random.nextInt(30)),
                    share(random.nextInt(1, 3), 1),
                    share(9, 1));
        }
        journal.follow();

        for (@Nullable String asker : new @Nullable String[] {null, "astronomy"}) {
            List<Line> pages = new ArrayList<>();
            String marker = null;
            do {
                Page<Line> page = page(asker, ANY, marker, limit);
                assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
                pages.addAll(page.items());
                marker = page.next();
            } while (marker != null);
            assertThat(pages).isEqualTo(page(asker, ANY, null, 1000).items()).isNotEmpty();
        }
    }

    @Test
    void a_lease_or_project_filter_shows_a_project_only_own_bookings() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.book(2, "biology", window(120, 180), host(1));
        journal.follow();

        assertThat(lines("astronomy", new Filter(null, null, lease(1), null)))
                .containsExactly("1 astronomy 60-120");
        assertThat(lines("astronomy", new Filter(null, null, lease(2), null))).isEmpty();
        assertThat(lines("astronomy", new Filter(null, new ProjectId("astronomy"), null, null)))
                .containsExactly("1 astronomy 60-120");
        assertThat(lines("astronomy", new Filter(null, new ProjectId("biology"), null, null)))
                .isEmpty();
        assertThat(lines(null, new Filter(null, new ProjectId("biology"), null, null)))
                .containsExactly("1 biology 120-180");
    }

    @Test
    void bookings_are_filtered_by_resource_and_by_kind() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2), host(9));
        journal.book(2, "biology", window(120, 180), host(2), host(9));
        journal.follow();

        assertThat(lines("astronomy", new Filter(new ResourceId(2), null, null, null)))
                .containsExactly("2 astronomy 60-120", "2 taken 120-180");
        assertThat(
                        lines(
                                "astronomy",
                                new Filter(null, null, null, new ResourceKind("virtual:network"))))
                .containsExactly("9 astronomy 60-120", "9 taken 120-180");
    }

    @Test
    void a_query_as_of_a_position_ignores_a_later_replacement() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        long before = journal.database.head();
        journal.append(
                100,
                new ResourceReplaced(
                        lease(1), reservation(1), new ResourceId(1), host(2), "it is broken"));
        long after = journal.database.head();
        journal.follow();

        for (@Nullable String asker : new @Nullable String[] {null, "astronomy"}) {
            assertThat(lines(question(asker, ANY, minute(0), minute(1000), before)))
                    .containsExactly("1 astronomy 60-300");
            assertThat(lines(question(asker, ANY, minute(0), minute(1000), after)))
                    .containsExactly("1 astronomy 60-100", "2 astronomy 100-300");
            assertThat(lines(question(asker, ANY, minute(0), minute(1000), before - 1))).isEmpty();
        }
        assertThat(lines("astronomy", ANY))
                .containsExactly("1 astronomy 60-100", "2 astronomy 100-300");
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "MSAyMDMw",
                "00000000-0000-0000-0000-000000000001",
                "LTEgMjAzMC0wMS0wMVQxMjowMDowMFogMDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAw"
            })
    void an_unknown_marker_is_rejected(String marker) {
        assertThatThrownBy(() -> page(null, ANY, marker, 10)).isInstanceOf(UnknownMarker.class);
    }

    @Test
    void a_marker_beyond_the_range_of_the_database_is_rejected() {
        String marker = marker(1, Instant.MAX);

        assertThatThrownBy(() -> page(null, ANY, marker, 10)).isInstanceOf(UnknownMarker.class);
    }

    private static String marker(long resource, Instant starts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                        (resource + " " + starts + " 00000000-0000-0000-0000-000000000000")
                                .getBytes(StandardCharsets.UTF_8));
    }

    private static ListBookings question(
            @Nullable String asker, Filter filter, Instant from, Instant to, @Nullable Long asOf) {
        return new ListBookings(
                asker == null ? null : new ProjectId(asker), filter, from, to, asOf, null, 1000);
    }

    private static Page<Line> page(@Nullable String asker, Filter filter) {
        return page(asker, filter, null, 1000);
    }

    private static Page<Line> page(
            @Nullable String asker, Filter filter, @Nullable String marker, int limit) {
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

    private static List<String> lines(@Nullable String asker, Filter filter) {
        return lines(page(asker, filter));
    }

    private static List<String> lines(ListBookings question) {
        return lines(journal.calendar.page(question));
    }

    /** Returns lines such as {@code 1 taken 60-120}. */
    private static List<String> lines(Page<Line> page) {
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
