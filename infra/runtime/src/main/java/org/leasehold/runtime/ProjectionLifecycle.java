package org.leasehold.runtime;

import org.leasehold.query.projection.Projectors;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;

import java.time.Duration;

/** Has the projections follow the events where processes react to them: elsewhere nobody writes. */
final class ProjectionLifecycle implements SmartLifecycle {

    /** A batch takes milliseconds; what takes longer is undone, and done by the next node. */
    private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

    private final Projectors projectors;
    private final Node node;
    private volatile boolean running;

    ProjectionLifecycle(Projectors projectors, Node node) {
        this.projectors = projectors;
        this.node = node;
    }

    @Override
    public void start() {
        projectors.start();
        running = true;
    }

    @Override
    public void stop() {
        try {
            projectors.stop(STOP_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isAutoStartup() {
        return node.works();
    }
}
