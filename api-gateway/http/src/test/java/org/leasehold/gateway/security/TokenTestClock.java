package org.leasehold.gateway.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is put forward. */
final class TokenTestClock extends Clock {

    private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

    void putForward(Duration by) {
        now = now.plus(by);
    }

    Instant in(Duration time) {
        return now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
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
