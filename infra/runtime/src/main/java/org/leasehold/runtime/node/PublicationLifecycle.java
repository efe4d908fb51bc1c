package org.leasehold.runtime.node;

import org.leasehold.publishing.Publication;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;

import java.time.Duration;
import java.util.List;

/** Runs the publications on nodes with the saga role: other nodes publish nothing. */
final class PublicationLifecycle implements SmartLifecycle {

    private final List<Publication> publications;
    private final Node node;
    private final Duration stopTimeout;
    private volatile boolean running;

    PublicationLifecycle(List<Publication> publications, Node node, Duration stopWithin) {
        this.publications = List.copyOf(publications);
        this.node = node;
        this.stopTimeout = stopWithin;
    }

    @Override
    public void start() {
        publications.forEach(Publication::start);
        running = true;
    }

    @Override
    public void stop() {
        long end = System.nanoTime() + stopTimeout.toNanos();
        try {
            for (Publication publication : publications) {
                publication.stop(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
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
