package org.leasehold.command.calendar;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as the database keeps them: in whole microseconds. */
final class Micros {

    private Micros() {}

    /** Microseconds since the epoch; what is finer is cut off. */
    static long of(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
