package org.leasehold.query.booking;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.history.RecordedEvent;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An event log with bookings of hosts, and the rows of the bookings. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BookingFixture {

    final BookingEventLog journal = new BookingEventLog();

    @AfterAll
    void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= RandomLeases.HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    long count(String condition) {
        return journal.database
                .client()
                .sql("SELECT count(*) FROM booking WHERE " + condition)
                .query(Long.class)
                .single();
    }

    List<Map<String, Object>> rows() {
        return journal.database
                .jdbc()
                .queryForList(
                        """
                        SELECT lease_id, reservation_id, project_id, resource_id, kind, what, slots,
                            needs::text, starts, ends, known_from, known_to
                        FROM booking ORDER BY 1, 2, 4, 6, 9, 11
                        """);
    }

    /** Returns rows such as {@code 1 ACTIVE 60-300 known from 6}, with slots if more than one. */
    List<String> bookings() {
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

    static long minutes(Object timestamp) {
        return minutes(((Timestamp) timestamp).toInstant());
    }

    static long minutes(Instant instant) {
        return Duration.between(BookingEventLog.NOON, instant).toMinutes();
    }

    /** Returns the slots of each reservation and host in each minute, from the table. */
    Map<String, Integer> minutes(long position) {
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
    static Map<String, Integer> minutes(List<List<RecordedEvent>> lives) {
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
