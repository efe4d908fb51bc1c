package org.leasehold.bench.start;

import org.HdrHistogram.Histogram;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** The delay of an event of leases after the later of their start and their acceptance. */
record Lateness(Histogram micros) {

    static Lateness of(LeaseEventReader tail, String type, Predicate<Instant> starts) {
        Map<String, Instant> due = new HashMap<>();
        tail.events("LeaseRequested")
                .filter(event -> event.starts() != null && starts.test(event.starts()))
                .forEach(
                        event -> due.put(event.lease(), later(event.starts(), event.recordedAt())));
        Histogram micros = new Histogram(3);
        tail.events(type)
                .filter(event -> due.containsKey(event.lease()))
                .mapToLong(
                        event ->
                                ChronoUnit.MICROS.between(
                                        due.get(event.lease()), event.recordedAt()))
                .forEach(late -> micros.recordValue(Math.max(0, late)));
        return new Lateness(micros);
    }

    double millis(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
