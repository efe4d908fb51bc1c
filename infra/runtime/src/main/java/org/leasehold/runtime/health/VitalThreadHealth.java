package org.leasehold.runtime.health;

import org.leasehold.history.VitalThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The health of all threads that are needed to start, end and show leases. */
final class VitalThreadHealth implements HealthIndicator {

    private static final Logger LOG = LoggerFactory.getLogger(VitalThreadHealth.class);

    private final List<VitalThreads> parts;
    private Set<String> reportedThreads = Set.of();

    VitalThreadHealth(List<VitalThreads> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public Health health() {
        Set<String> ended = new TreeSet<>();
        parts.forEach(part -> ended.addAll(part.endedThreads()));
        report(ended);
        return ended.isEmpty()
                ? Health.up().build()
                : Health.down().withDetail("ended", ended).build();
    }

    /** Logs a change once, however many probes there are. */
    private synchronized void report(Set<String> ended) {
        if (!ended.isEmpty() && !ended.equals(reportedThreads)) {
            LOG.atError()
                    .addKeyValue("threads", ended)
                    .log("Threads have ended that the engine needs; restart it");
        }
        reportedThreads = ended;
    }
}
