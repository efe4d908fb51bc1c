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
 * The meter of one lease. It is read at instants that never go back: at each event, when it was
 * decided, and when all meters are read. What it said is forgotten; what the difference to it is
 * follows from the events and from the instants alone.
 */
final class Meter {

    private final Bookings bookings = new Bookings();

    /** What comes later has not been read. */
    private Instant until = Instant.MIN;

    /**
     * What its events told, by the events.
     *
     * @param life of one lease, from its first event on
     * @param readings of all meters, in order; those that were before the last one that precedes
     *     all events in question need not be there
     * @param after the position of the last event that is not in question
     */
    static Map<RecordedEvent, List<Line>> ofEvents(
            List<RecordedEvent> life, List<Reading> readings, long after) {
        Map<RecordedEvent, List<Line>> lines = new LinkedHashMap<>();
        Meter meter = new Meter();
        int next = 0;
        for (RecordedEvent event : life) {
            // What was read with all events up to this one's position was read after this one.
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
     * What a reading of all meters tells.
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
