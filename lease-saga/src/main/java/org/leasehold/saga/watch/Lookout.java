package org.leasehold.saga.watch;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin.Listening;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The schedule of polls of the cloud: at intervals, and a second after a notification. All
 * notifications within that second, or during a poll, cause one.
 */
final class Lookout implements SmartLifecycle {

    private final Plugins plugins;
    private final Runnable look;
    private final Duration interval;
    private final Clock clock;
    private final Node node;
    private final List<Listening> listening = new ArrayList<>();

    /** True before the first poll. */
    private final AtomicBoolean news = new AtomicBoolean(true);

    private Instant last;

    /**
     * @param interval between polls without notifications
     */
    Lookout(Plugins plugins, Runnable look, Duration interval, Clock clock, Node node) {
        this.plugins = plugins;
        this.look = look;
        this.interval = interval;
        this.clock = clock;
        this.node = node;
        this.last = clock.instant();
    }

    @Scheduled(fixedDelay = 1_000)
    void tick() {
        if (news.getAndSet(false) || isDue()) {
            try {
                look.run();
            } finally {
                last = clock.instant();
            }
        }
    }

    private boolean isDue() {
        Duration since = Duration.between(last, clock.instant());
        // The poll does not wait for a clock that was put back.
        return since.isNegative() || since.compareTo(interval) >= 0;
    }

    @Override
    public synchronized void start() {
        if (node.works() && !isRunning()) {
            for (String kind : plugins.kinds()) {
                listening.add(
                        plugins.find(new ResourceKind(kind))
                                .orElseThrow()
                                .listen(() -> news.set(true)));
            }
        }
    }

    @Override
    public synchronized void stop() {
        listening.forEach(Listening::close);
        listening.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !listening.isEmpty();
    }
}
