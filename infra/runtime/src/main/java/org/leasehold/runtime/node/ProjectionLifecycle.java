package org.leasehold.runtime.node;

import org.leasehold.query.projection.Projectors;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;

import java.time.Duration;

/** Runs the projections on nodes with the saga role: other nodes write none. */
final class ProjectionLifecycle implements SmartLifecycle {

    /** The longest wait. A batch takes milliseconds; a longer one rolls back for the next node. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

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
            projectors.stop(STOP_TIMEOUT);
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
