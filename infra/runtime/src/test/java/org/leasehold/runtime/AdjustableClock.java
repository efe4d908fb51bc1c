package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * A clock that runs normally, from the instant to which a test sets it.
 *
 * <p>The tests of a product begin one millisecond before a minute ends. Blazar's API has a
 * resolution of minutes, so that is the worst moment, and each run includes it. {@code
 * -Dtests.now=2027-03-28T00:59:59.999Z} selects another, future instant: the database uses the time
 * of this machine, and has no record of an earlier past to query.
 */
final class AdjustableClock extends Clock {

    private static final @Nullable String CHOSEN = System.getProperty("tests.now");

    /** The time for the start of a product, before its tests begin. */
    private static final Duration START = Duration.ofMinutes(5);

    private static final Duration MOMENT = Duration.ofMillis(1);

    private volatile Duration ahead = Duration.ZERO;

    /** Creates a clock that leaves time to start a product before {@link #toBeginning}. */
    AdjustableClock() {
        if (CHOSEN != null) {
            if (Instant.parse(CHOSEN).isBefore(Instant.now())) {
                throw new IllegalArgumentException("tests.now is in the past: " + CHOSEN);
            }
            set(Instant.parse(CHOSEN).minus(START));
        }
    }

    void set(Instant instant) {
        ahead = Duration.between(Instant.now(), instant);
    }

    void step(Duration duration) {
        ahead = ahead.plus(duration);
    }

    /** Steps to the instant at which tests begin. */
    void toBeginning() {
        if (CHOSEN == null) {
            toEndOfMinute();
        } else {
            set(Instant.parse(CHOSEN));
        }
    }

    /** Steps forward to the last millisecond of a minute, so that the minute ends next. */
    void toEndOfMinute() {
        set(nextMinute(instant().plus(MOMENT)).minus(MOMENT));
    }

    /** Steps forward to the first moment of a minute, so that the whole minute is left. */
    void toStartOfMinute() {
        set(nextMinute(instant()));
    }

    private static Instant nextMinute(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
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
