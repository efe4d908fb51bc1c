package org.leasehold.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Goes as every clock does, from wherever it is set. */
final class SteppedClock extends Clock {

    private volatile Duration ahead = Duration.ZERO;

    void set(Instant instant) {
        ahead = Duration.between(Instant.now(), instant);
    }

    void step(Duration duration) {
        ahead = ahead.plus(duration);
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("the engine knows UTC only");
    }
}
