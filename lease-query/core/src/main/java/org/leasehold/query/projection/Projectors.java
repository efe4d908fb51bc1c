package org.leasehold.query.projection;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.leasehold.history.VitalThreads;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All projectors of this process. Nothing is followed unless somebody starts them. */
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
     * Ends them after what they are at. What is not done in time is undone by the database, when
     * the connection goes.
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
    public synchronized Set<String> ended() {
        return threads.stream()
                .filter(thread -> !thread.isAlive())
                .map(Thread::getName)
                .collect(toUnmodifiableSet());
    }

    /** Names of the projections that cannot go on, as far as this process has tried. */
    public Set<String> failing() {
        return projectors.stream()
                .filter(Projector::isFailing)
                .map(projector -> projector.projection().name())
                .collect(toUnmodifiableSet());
    }
}
