package org.leasehold.command.calendar.timeline;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Converts instants to whole microseconds, as the database stores them. */
public final class Micros {

    private Micros() {}

    /** Returns microseconds since the epoch; smaller units are cut off. */
    static long of(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }

    /** Returns the microseconds of any duration: a lease may last for thousands of years. */
    static long of(Duration duration) {
        return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
    }

    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
