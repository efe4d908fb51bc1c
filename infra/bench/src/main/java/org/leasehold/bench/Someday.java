package org.leasehold.bench;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * Windows of leases: one half to four hours, at any minute of the time ahead.
 *
 * @param first the earliest start; today is free for the leases that start at once
 * @param horizon the length of the time ahead; more hosts fill up sooner
 */
record Someday(Instant first, Duration horizon) implements Serializable {

    private static final int HALF_HOURS = 8;
    private static final Duration TODAY = Duration.ofDays(1);

    /** The horizon: in two years, a thousand hosts hold more leases than any run creates. */
    private static final Duration HORIZON_OF_A_THOUSAND = Duration.ofDays(730);

    static Someday after(Instant now, int hosts) {
        return new Someday(
                now.plus(TODAY), HORIZON_OF_A_THOUSAND.multipliedBy(1_000).dividedBy(hosts));
    }

    Window next(SplittableRandom random) {
        Instant start = first.plusSeconds(60 * random.nextLong(horizon.toMinutes()));
        return new Window(
                start, start.plus(Duration.ofMinutes(30L * (1 + random.nextInt(HALF_HOURS)))));
    }

    record Window(Instant start, Instant end) {}
}
