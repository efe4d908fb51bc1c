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
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Tests the pages and filters of the booking calendar. */
class PostgresCalendarTest extends PostgresCalendarQueryFixture {

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
}
