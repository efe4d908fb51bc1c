package org.leasehold.command.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as the database keeps them: in whole microseconds. */
final class Micros {

    private Micros() {}

    /** Microseconds since the epoch; what is finer is cut off. */
    static long of(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }

    /** However long it is: a lease may last for thousands of years. */
    static long of(Duration duration) {
        return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
