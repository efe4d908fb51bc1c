package org.leasehold.bench.load;

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
public record RandomLeaseWindows(Instant first, Duration horizon) implements Serializable {

    private static final int MAX_HALF_HOURS = 8;
    private static final Duration FIRST_START_DELAY = Duration.ofDays(1);

    /** The horizon: in two years, a thousand hosts hold more leases than any run creates. */
    private static final Duration HORIZON_PER_THOUSAND_HOSTS = Duration.ofDays(730);

    public static RandomLeaseWindows after(Instant now, int hosts) {
        return new RandomLeaseWindows(
                now.plus(FIRST_START_DELAY),
                HORIZON_PER_THOUSAND_HOSTS.multipliedBy(1_000).dividedBy(hosts));
    }

    public Window next(SplittableRandom random) {
        Instant start = first.plusSeconds(60 * random.nextLong(horizon.toMinutes()));
        return new Window(
                start, start.plus(Duration.ofMinutes(30L * (1 + random.nextInt(MAX_HALF_HOURS)))));
    }

    public record Window(Instant start, Instant end) {}
}
