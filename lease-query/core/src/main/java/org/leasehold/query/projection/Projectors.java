package org.leasehold.query.projection;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.leasehold.history.VitalThreads;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** All projectors of this process. They do nothing until they are started. */
public final class Projectors implements VitalThreads {

    private final List<Projector> projectors;

    Projectors(List<Projector> projectors) {
        this.projectors = List.copyOf(projectors);
    }

    public void start() {
        projectors.forEach(projector -> projector.thread().start());
    }

    /**
     * Stops them after their current work. The database rolls back unfinished work when the
     * connection closes.
     */
    public void stop(Duration within) throws InterruptedException {
        projectors.forEach(projector -> projector.thread().interrupt());
        long end = System.nanoTime() + within.toNanos();
        for (Projector projector : projectors) {
            boolean _ = projector.thread().join(Duration.ofNanos(end - System.nanoTime()));
        }
    }

    @Override
    public Set<String> endedThreads() {
        return projectors.stream()
                .flatMap(projector -> projector.thread().endedThreads().stream())
                .collect(toUnmodifiableSet());
    }

    /** Returns the names of the projections that fail, as far as this process has tried. */
    public Set<String> failing() {
        return projectors.stream()
                .filter(projector -> projector.thread().isFailing())
                .map(projector -> projector.projection().name())
                .collect(toUnmodifiableSet());
    }
}
