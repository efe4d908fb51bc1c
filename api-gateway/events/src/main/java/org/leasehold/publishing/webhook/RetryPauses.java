package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** The pauses between the attempts of a delivery. */
record RetryPauses(List<Duration> pauses, RandomGenerator random) {

    /** Varies pauses by a tenth, so that events that failed together are not retried together. */
    private static final double PAUSE_JITTER = 0.1;

    private static final Duration MAX_PAUSE = Duration.ofDays(7);

    RetryPauses {
        pauses = List.copyOf(pauses);
    }

    /** Returns the shortest pause before the next attempt; null after the last attempt. */
    @Nullable Duration after(int step) {
        if (step >= pauses.size()) {
            return null;
        }
        double factor = 1 + PAUSE_JITTER * (2 * random.nextDouble() - 1);
        Duration pause = Duration.ofMillis((long) (pauses.get(step).toMillis() * factor));
        return pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
    }
}
