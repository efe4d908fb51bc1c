package org.leasehold.runtime.node;

import org.leasehold.saga.scheduler.DurableScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Restarts the schedulers after the clock was set back. Each waits for its next poll by that clock.
 * Without a restart, nothing would start, end or send heartbeats until the clock catches up.
 */
public final class ClockRollbackPoller {

    private static final Logger LOG = LoggerFactory.getLogger(ClockRollbackPoller.class);

    /** A shift that passes quickly without a restart. */
    private static final Duration MAX_SHIFT = Duration.ofSeconds(1);

    private final Clock clock;
    private final List<DurableScheduler> schedulers;
    private Instant latest;

    public ClockRollbackPoller(Clock clock, List<DurableScheduler> schedulers) {
        this.clock = clock;
        this.schedulers = List.copyOf(schedulers);
        this.latest = clock.instant();
    }

    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
    void checkClock() {
        Instant now = clock.instant();
        if (now.isBefore(latest.minus(MAX_SHIFT))) {
            LOG.atWarn().addKeyValue("by", Duration.between(now, latest)).log("clock was set back");
            schedulers.stream()
                    .filter(DurableScheduler::isRunning)
                    .forEach(ClockRollbackPoller::restart);
        }
        latest = now;
    }

    private static void restart(DurableScheduler scheduler) {
        scheduler.stop();
        scheduler.start();
    }
}
