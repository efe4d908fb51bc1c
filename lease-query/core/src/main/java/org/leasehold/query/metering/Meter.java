package org.leasehold.query.metering;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.Metering.Reading;
import org.leasehold.query.account.Accounts;
import org.leasehold.query.account.Entry;
import org.leasehold.query.booking.Bookings;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The meter of one lease. It is read at instants that never go back: at the decision of each event,
 * and when all meters are read. No reading is stored: the differences follow from the events and
 * the instants alone.
 */
final class Meter {

    private final Bookings bookings = new Bookings();

    /** The end of the time that was read. */
    private Instant until = Instant.MIN;

    /**
     * Returns the lines of a life's events, by event.
     *
     * @param life of one lease, from its first event on
     * @param readings of all meters, in order; those before the last one that precedes all
     *     requested events may be missing
     * @param after the position of the last event that is not requested
     */
    static Map<RecordedEvent, List<Line>> ofEvents(
            List<RecordedEvent> life, List<Reading> readings, long after) {
        Map<RecordedEvent, List<Line>> lines = new LinkedHashMap<>();
        Meter meter = new Meter();
        int next = 0;
        for (RecordedEvent event : life) {
            // A reading with all events up to this one's position came after this one.
            while (next < readings.size() && readings.get(next).position() < event.position()) {
                meter.moveTo(readings.get(next).at());
                next++;
            }
            if (event.position() <= after) {
                meter.take(event);
            } else {
                List<Entry> before = meter.account();
                meter.take(event);
                lines.put(event, Difference.of(before, meter.account()));
            }
        }
        return lines;
    }

    /**
     * Returns the lines of a reading of all meters.
     *
     * @param life of one lease, from its first event on, as far as it was known then
     */
    static List<Line> ofReading(List<RecordedEvent> life, Reading reading) {
        Meter meter = new Meter();
        life.forEach(meter::take);
        if (reading.before() != null) {
            meter.moveTo(reading.before());
        }
        List<Entry> before = meter.account();
        meter.moveTo(reading.at());
        return Difference.of(before, meter.account());
    }

    private void take(RecordedEvent event) {
        bookings.apply((LeaseEvent) event.event(), event.decidedAt());
        moveTo(event.decidedAt().truncatedTo(ChronoUnit.MICROS));
    }

    private void moveTo(Instant at) {
        if (at.isAfter(until)) {
            until = at;
        }
    }

    private List<Entry> account() {
        return Accounts.of(bookings, until);
    }
}
