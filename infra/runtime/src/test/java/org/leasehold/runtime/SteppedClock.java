package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * A clock that runs as every clock does, from the instant to which a test sets it.
 *
 * <p>The tests of a product begin one millisecond before a minute turns: the API of Blazar knows
 * minutes only, so that is the worst moment, and each run meets it. {@code
 * -Dtests.now=2027-03-28T00:59:59.999Z} chooses another one, which is later than now: the database
 * keeps the time of this machine, and a past that it has not recorded cannot be asked for.
 */
final class SteppedClock extends Clock {

    private static final @Nullable String CHOSEN = System.getProperty("tests.now");

    /** The time that a product may take for its start, before its tests begin. */
    private static final Duration START = Duration.ofMinutes(5);

    private static final Duration MOMENT = Duration.ofMillis(1);

    private volatile Duration ahead = Duration.ZERO;

    /** A clock on which there is time to start a product, before {@link #toBeginning}. */
    SteppedClock() {
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

    /** Steps to where tests begin. */
    void toBeginning() {
        if (CHOSEN == null) {
            toEndOfMinute();
        } else {
            set(Instant.parse(CHOSEN));
        }
    }

    /** Steps forward to the last millisecond of a minute: what follows meets the next minute. */
    void toEndOfMinute() {
        set(nextMinute(instant().plus(MOMENT)).minus(MOMENT));
    }

    /** Steps forward to the first moment of a minute: what follows has all of that minute. */
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
