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
final class CloudPoller implements SmartLifecycle {

    private final Plugins plugins;
    private final Runnable pollAction;
    private final Duration interval;
    private final Clock clock;
    private final Node node;
    private final List<Listening> subscriptions = new ArrayList<>();

    /** True before the first poll. */
    private final AtomicBoolean notificationPending = new AtomicBoolean(true);

    private Instant lastPoll;

    /**
     * @param interval between polls without notifications
     */
    CloudPoller(Plugins plugins, Runnable look, Duration interval, Clock clock, Node node) {
        this.plugins = plugins;
        this.pollAction = look;
        this.interval = interval;
        this.clock = clock;
        this.node = node;
        this.lastPoll = clock.instant();
    }

    @Scheduled(fixedDelay = 1_000)
    void pollIfDue() {
        if (notificationPending.getAndSet(false) || isDue()) {
            try {
                pollAction.run();
            } finally {
                lastPoll = clock.instant();
            }
        }
    }

    private boolean isDue() {
        Duration since = Duration.between(lastPoll, clock.instant());
        // The poll does not wait for a clock that was put back.
        return since.isNegative() || since.compareTo(interval) >= 0;
    }

    @Override
    public synchronized void start() {
        if (node.works() && !isRunning()) {
            for (String kind : plugins.kinds()) {
                subscriptions.add(
                        plugins.find(new ResourceKind(kind))
                                .orElseThrow()
                                .subscribe(() -> notificationPending.set(true)));
            }
        }
    }

    @Override
    public synchronized void stop() {
        subscriptions.forEach(Listening::close);
        subscriptions.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !subscriptions.isEmpty();
    }
}
