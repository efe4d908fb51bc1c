package org.leasehold.query.projection;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.leasehold.history.VitalThreads;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All projectors of this process. They do nothing until they are started. */
public final class Projectors implements VitalThreads {

    private final List<Projector> projectors;
    private final List<Thread> threads = new ArrayList<>();

    Projectors(List<Projector> projectors) {
        this.projectors = List.copyOf(projectors);
    }

    public synchronized void start() {
        for (Projector projector : projectors) {
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("projection-" + projector.projection().name())
                            .start(projector));
        }
    }

    /**
     * Stops them after their current work. The database rolls back unfinished work when the
     * connection closes.
     */
    public synchronized void stop(Duration within) throws InterruptedException {
        threads.forEach(Thread::interrupt);
        long end = System.nanoTime() + within.toNanos();
        for (Thread thread : threads) {
            thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
        threads.clear();
    }

    @Override
    public synchronized Set<String> endedThreads() {
        return threads.stream()
                .filter(thread -> !thread.isAlive())
                .map(Thread::getName)
                .collect(toUnmodifiableSet());
    }

    /** Returns the names of the projections that fail, as far as this process has tried. */
    public Set<String> failing() {
        return projectors.stream()
                .filter(Projector::isFailing)
                .map(projector -> projector.projection().name())
                .collect(toUnmodifiableSet());
    }
}
