package org.leasehold.saga.watch;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePlugin.Listening;
import org.leasehold.saga.node.Node;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The schedule of polls of the cloud: the first one at once, then at intervals, and up to a second
 * after a notification. All notifications within that second, during a poll or in the pause after
 * it cause one.
 */
public final class CloudPoller implements SmartLifecycle {

    private final Plugins plugins;
    private final Subscription subscription;
    private final Runnable pollAction;
    private final Timing timing;
    private final Clock clock;
    private final Node node;
    private final List<Listening> subscriptions = new ArrayList<>();
    private final AtomicBoolean notificationPending = new AtomicBoolean();

    /** Null before the first poll. */
    private @Nullable Instant lastPoll;

    /**
     * Creates the schedule; subscribes to nothing yet.
     *
     * @param subscription the part of each plug-in that sends notifications
     * @param pollAction the poll; one at a time
     */
    public CloudPoller(
            Plugins plugins,
            Subscription subscription,
            Runnable pollAction,
            Timing timing,
            Clock clock,
            Node node) {
        this.plugins = plugins;
        this.subscription = subscription;
        this.pollAction = pollAction;
        this.timing = timing;
        this.clock = clock;
        this.node = node;
    }

    /**
     * The times between polls.
     *
     * @param interval from the end of a poll to the next one without notifications
     * @param pause from the end of a poll to one that a notification causes, so that polls of a
     *     busy cloud do not follow each other closely
     */
    public record Timing(Duration interval, Duration pause) {}

    /** The subscription to the notifications of a part of a plug-in. */
    @FunctionalInterface
    public interface Subscription {

        /**
         * Subscribes.
         *
         * @return empty if the plug-in has no such part
         */
        Optional<Listening> open(ResourcePlugin plugin, Runnable news);
    }

    @Scheduled(fixedDelay = 1_000)
    void pollIfDue() {
        if (isDue()) {
            notificationPending.set(false);
            try {
                pollAction.run();
            } finally {
                lastPoll = clock.instant();
            }
        }
    }

    private boolean isDue() {
        if (lastPoll == null) {
            return true;
        }
        Duration since = Duration.between(lastPoll, clock.instant());
        // The poll does not wait for a clock that was put back.
        return since.isNegative()
                || since.compareTo(timing.interval()) >= 0
                || (notificationPending.get() && since.compareTo(timing.pause()) >= 0);
    }

    @Override
    public synchronized void start() {
        if (node.works() && !isRunning()) {
            for (String kind : plugins.kinds()) {
                ResourcePlugin plugin = plugins.find(new ResourceKind(kind)).orElseThrow();
                subscription
                        .open(plugin, () -> notificationPending.set(true))
                        .ifPresent(subscriptions::add);
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
