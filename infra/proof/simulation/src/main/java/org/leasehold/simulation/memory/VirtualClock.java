package org.leasehold.simulation.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of a simulation: it moves only on request. */
public final class VirtualClock extends Clock {

    public static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");

    private Instant now;

    public VirtualClock(Instant beginning) {
        now = beginning;
    }

    public void forward(Duration duration) {
        now = now.plus(duration);
    }

    /** Moves to an instant; does nothing if it has passed. */
    public void forwardTo(Instant instant) {
        if (instant.isAfter(now)) {
            now = instant;
        }
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
        throw new UnsupportedOperationException("the simulation knows UTC only");
    }
}
