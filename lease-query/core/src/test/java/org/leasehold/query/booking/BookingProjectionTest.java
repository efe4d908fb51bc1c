package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.EndCause;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Tests that the rows of bookings follow the events, and that a verification compares them. */
class BookingProjectionTest extends BookingFixture {

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
    void a_booking_has_the_kind_of_the_resource() {
        journal.enrol(9, "virtual:network");
        journal.book(1, "astronomy", window(60, 300), host(1), host(9));
        journal.follow();

        assertThat(rows())
                .extracting(row -> row.get("resource_id") + " " + row.get("kind"))
                .containsExactly("1 physical:host", "9 virtual:network");
        assertThat(journal.differences()).isEmpty();
    }

    private List<String> indexes() {
        return journal.database
                .jdbc()
                .queryForList(
                        "SELECT indexname FROM pg_indexes WHERE tablename = 'booking' ORDER BY 1",
                        String.class);
    }
}
