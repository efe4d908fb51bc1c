package org.leasehold.runtime.health;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The health of writes: the last one succeeded, and the database has room for another. */
final class WriteHealth implements HealthIndicator {

    static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(WriteHealth.class);

    private final LastWriteOutcome lastWrite;
    private final Supplier<Optional<String>> check;
    private final LongSupplier nanoTime;

    private boolean checked;
    private long checkedAt;
    private Optional<String> checkResult = Optional.empty();
    private boolean isDown;

    WriteHealth(LastWriteOutcome watch, Supplier<Optional<String>> trial, LongSupplier nanoTime) {
        this.lastWrite = watch;
        this.check = trial;
        this.nanoTime = nanoTime;
    }

    /** Returns the health. It is synchronized: many probes share one trial at a time. */
    @Override
    public synchronized Health health() {
        Optional<String> failure = lastWrite.failure().or(this::checkWritability);
        report(failure);
        return failure.map(reason -> Health.down().withDetail("reason", reason))
                .orElseGet(Health::up)
                .build();
    }

    private Optional<String> checkWritability() {
        if (!checked || nanoTime.getAsLong() - checkedAt >= CHECK_INTERVAL.toNanos()) {
            checkResult = check.get();
            checkedAt = nanoTime.getAsLong();
            checked = true;
        }
        return checkResult;
    }

    /** Logs a change once, however many probes there are. */
    private void report(Optional<String> failure) {
        if (failure.isPresent() != isDown) {
            isDown = failure.isPresent();
            if (isDown) {
                LOG.atError()
                        .addKeyValue("reason", failure.orElse(""))
                        .log("The database takes no writes");
            } else {
                LOG.atInfo().log("The database takes writes again");
            }
        }
    }
}
