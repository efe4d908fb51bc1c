package org.leasehold.query.metering;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.LeaseAccounts;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.readmodel.usage.Metering.Reading;

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

    private final LeaseBookings bookings = new LeaseBookings();

    /** The end of the time that was read. */
    private Instant readUntil = Instant.MIN;

    /**
     * Returns the lines of a lease's events, by event.
     *
     * @param life the events of one lease, from the first one on
     * @param readings of all meters, in order; those before the last one that precedes all
     *     requested events may be missing
     * @param after the position of the last event that is not requested
     */
    static Map<RecordedEvent, List<AccountDifferenceLine>> ofEvents(
            List<RecordedEvent> life, List<Reading> readings, long after) {
        Map<RecordedEvent, List<AccountDifferenceLine>> lines = new LinkedHashMap<>();
        Meter meter = new Meter();
        int next = 0;
        for (RecordedEvent event : life) {
            // A reading with all events up to this one's position came after this one.
            while (next < readings.size() && readings.get(next).position() < event.position()) {
                meter.advanceTo(readings.get(next).at());
                next++;
            }
            if (event.position() <= after) {
                meter.applyEvent(event);
            } else {
                List<AccountEntry> before = meter.account();
                meter.applyEvent(event);
                lines.put(event, AccountDifference.of(before, meter.account()));
            }
        }
        return lines;
    }

    /**
     * Returns the lines of a reading of all meters.
     *
     * @param life the events of one lease, from the first one on, as far as they were known then
     */
    static List<AccountDifferenceLine> ofReading(List<RecordedEvent> life, Reading reading) {
        Meter meter = new Meter();
        life.forEach(meter::applyEvent);
        if (reading.before() != null) {
            meter.advanceTo(reading.before());
        }
        List<AccountEntry> before = meter.account();
        meter.advanceTo(reading.at());
        return AccountDifference.of(before, meter.account());
    }

    private void applyEvent(RecordedEvent event) {
        bookings.apply((LeaseEvent) event.event(), event.decidedAt());
        advanceTo(event.decidedAt().truncatedTo(ChronoUnit.MICROS));
    }

    private void advanceTo(Instant at) {
        if (at.isAfter(readUntil)) {
            readUntil = at;
        }
    }

    private List<AccountEntry> account() {
        return LeaseAccounts.of(bookings, readUntil);
    }
}
