package org.leasehold.saga.fakes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A clock that runs like any clock, because schedulers wait by it, but can be put forward. */
public final class TestClock extends Clock {

    private volatile Duration ahead = Duration.ZERO;

    public void putForward(Duration by) {
        ahead = ahead.plus(by);
    }

    @Override
    public Instant instant() {
        return Clock.systemUTC().instant().plus(ahead).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
