package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.tenure;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

class BookingProjectionTest {

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
        for (int host = 1; host <= RandomLeases.HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void random_leases_are_known_as_of_each_position(long seed) {
        new RandomLeases(journal, new SplittableRandom(seed), journal::follow).live(120);

        Collection<List<RecordedEvent>> lives = journal.lives().values();
        for (long position = 0; position <= journal.database.head(); position++) {
            long last = position;
            List<List<RecordedEvent>> beginnings =
                    lives.stream()
                            .map(
                                    life ->
                                            life.stream()
                                                    .takeWhile(event -> event.position() <= last)
                                                    .toList())
                            .toList();
            assertThat(minutes(position)).as("known at " + position).isEqualTo(minutes(beginnings));
        }
        assertThat(count("known_to IS NOT NULL")).isPositive();
        assertThat(count("what = 'ACTIVE'")).isPositive();
        assertThat(count("needs IS NOT NULL")).isPositive();
        assertThat(journal.differences()).isEmpty();
    }

    @Test
    void a_rebuild_restores_the_same_rows() {
        new RandomLeases(journal, new SplittableRandom(6), journal::follow).live(150);
        List<Map<String, Object>> before = rows();
        List<String> indexes = indexes();
        journal.database.jdbc().execute("DELETE FROM booking WHERE slots = 1");

        journal.rebuild();

        assertThat(rows()).isEqualTo(before).isNotEmpty();
        assertThat(indexes()).isEqualTo(indexes).hasSize(4);
        assertThat(journal.differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM booking WHERE ctid = (SELECT min(ctid) FROM booking)",
                "DELETE FROM booking WHERE known_to IS NOT NULL",
                "UPDATE booking SET known_to = NULL WHERE known_to IS NOT NULL",
                "UPDATE booking SET known_to = 1000 WHERE known_to IS NULL",
                "UPDATE booking SET ends = ends + interval '1 microsecond'",
                "UPDATE booking SET slots = slots + 1",
                "UPDATE booking SET needs = NULL",
                "UPDATE booking SET project_id = 'physics'",
                "UPDATE booking SET kind = 'virtual:network'",
                "UPDATE booking SET lease_id = gen_random_uuid()"
            })
    void a_manipulation_is_reported(String mischief) {
        new RandomLeases(journal, new SplittableRandom(7), journal::follow).live(60);
        assertThat(journal.differences()).isEmpty();

        journal.database.jdbc().execute(mischief);

        assertThat(journal.differences()).isNotEmpty();
    }

    @Test
    void an_additional_row_is_reported() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.follow();

        journal.database
                .jdbc()
                .execute(
                        """
                        INSERT INTO booking SELECT lease_id, reservation_id, project_id, 2, kind, what,
                            slots, needs, starts, ends, known_from, known_to FROM booking
                        """);

        assertThat(journal.differences()).hasSize(1);
    }

    @Test
    void an_unprojected_event_is_no_difference() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.follow();
        journal.end(10, 1, EndCause.DELETED);
        journal.book(2, "astronomy", window(60, 120), host(2));

        assertThat(journal.differences()).isEmpty();
    }

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

    @Test
    void a_booking_has_the_kind_of_the_resource() {
        journal.enrol(9, "virtual:network");
        journal.book(1, "astronomy", window(60, 300), host(1), host(9));
        journal.follow();

        assertThat(rows())
                .extracting(row -> row.get("resource_id") + " " + row.get("kind"))
                .containsExactly("1 physical:host", "9 virtual:network");
        assertThat(journal.differences()).isEmpty();
    }

    private static long count(String condition) {
        return journal.database
                .client()
                .sql("SELECT count(*) FROM booking WHERE " + condition)
                .query(Long.class)
                .single();
    }

    private static List<Map<String, Object>> rows() {
        return journal.database
                .jdbc()
                .queryForList(
                        """
                        SELECT lease_id, reservation_id, project_id, resource_id, kind, what, slots,
                            needs::text, starts, ends, known_from, known_to
                        FROM booking ORDER BY 1, 2, 4, 6, 9, 11
                        """);
    }

    private static List<String> indexes() {
        return journal.database
                .jdbc()
                .queryForList(
                        "SELECT indexname FROM pg_indexes WHERE tablename = 'booking' ORDER BY 1",
                        String.class);
    }

    /** Returns rows such as {@code 1 ACTIVE 60-300 known from 6}, with slots if more than one. */
    private static List<String> bookings() {
        return rows().stream()
                .map(
                        row ->
                                "%s %s%s %s-%s known from %s%s"
                                        .formatted(
                                                row.get("resource_id"),
                                                row.get("what"),
                                                row.get("slots").equals(1)
                                                        ? ""
                                                        : " x" + row.get("slots"),
                                                minutes(row.get("starts")),
                                                minutes(row.get("ends")),
                                                row.get("known_from"),
                                                row.get("known_to") == null
                                                        ? ""
                                                        : " to " + row.get("known_to")))
                .sorted()
                .toList();
    }

    private static long minutes(Object timestamp) {
        return minutes(((Timestamp) timestamp).toInstant());
    }

    private static long minutes(Instant instant) {
        return Duration.between(BookingEventLog.NOON, instant).toMinutes();
    }

    /** Returns the slots of each reservation and host in each minute, from the table. */
    private static Map<String, Integer> minutes(long position) {
        Map<String, Integer> minutes = new TreeMap<>();
        journal.database
                .client()
                .sql(
                        """
                        SELECT * FROM booking
                        WHERE known_from <= :position AND (known_to IS NULL OR known_to > :position)
                        """)
                .param("position", position)
                .query(
                        row -> {
                            add(
                                    minutes,
                                    row.getString("reservation_id"),
                                    row.getLong("resource_id"),
                                    row.getString("what"),
                                    row.getInt("slots"),
                                    row.getTimestamp("starts").toInstant(),
                                    row.getTimestamp("ends").toInstant());
                        });
        return minutes;
    }

    /** Returns the same from the pure function. */
    private static Map<String, Integer> minutes(List<List<RecordedEvent>> lives) {
        Map<String, Integer> minutes = new TreeMap<>();
        for (List<RecordedEvent> life : lives) {
            for (AllocationPeriod stretch : LeaseBookings.of(life).periods()) {
                String reservation = stretch.reservation().toString();
                long resource = stretch.resource().value();
                Instant starts = stretch.starts();
                Instant ends = stretch.ends();
                int active = Math.min(stretch.slots(), stretch.given());
                if (stretch.slots() > 0) {
                    add(minutes, reservation, resource, "PROMISED", stretch.slots(), starts, ends);
                }
                if (active > 0) {
                    add(minutes, reservation, resource, "ACTIVE", active, starts, ends);
                }
            }
        }
        return minutes;
    }

    private static void add(
            Map<String, Integer> minutes,
            String reservation,
            long resource,
            String what,
            int slots,
            Instant starts,
            Instant ends) {
        for (long minute = minutes(starts); minute < minutes(ends); minute++) {
            minutes.merge(
                    "%s %s %s %s".formatted(reservation, resource, what, minute),
                    slots,
                    Integer::sum);
        }
    }
}
