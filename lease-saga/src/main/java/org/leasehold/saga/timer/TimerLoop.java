package org.leasehold.saga.timer;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.VitalThreads;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.Backoff;
import org.leasehold.saga.scheduler.TimerBacklog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** The loop that fires timers as soon as they are due, on any number of nodes. */
final class TimerLoop implements SmartLifecycle, VitalThreads {

    private static final Logger LOG = LoggerFactory.getLogger(TimerLoop.class);

    private final TimerTable table;
    private final TimerCommandSender commandSender;
    private final Clock clock;
    private final Pace pace;
    private final Node node;
    private final TimerBacklog backlog;
    private @Nullable Thread running;
    private boolean pollRequested;

    TimerLoop(
            TimerTable table,
            TimerCommandSender firing,
            Clock clock,
            Pace pace,
            Node node,
            TimerBacklog rush) {
        this.table = table;
        this.commandSender = firing;
        this.clock = clock;
        this.pace = pace;
        this.node = node;
        this.backlog = rush;
    }

    /**
     * The settings of the loop.
     *
     * @param atOnce the number of commands that are sent in parallel
     * @param polling the interval at which it notices other nodes' timers
     * @param stopWithin how long a stop waits for running work
     */
    record Pace(int atOnce, Duration polling, Duration stopWithin) {}

    /** Polls at once if the timer is due already. */
    void notifyDue(Instant due) {
        if (!due.isAfter(clock.instant())) {
            synchronized (this) {
                pollRequested = true;
                notifyAll();
            }
        }
    }

    @Override
    public synchronized void start() {
        if (running == null) {
            Thread thread = Thread.ofPlatform().name("timers").daemon().unstarted(this::run);
            running = thread;
            thread.start();
        }
    }

    @Override
    public void stop() {
        Thread stopping;
        synchronized (this) {
            stopping = running;
            running = null;
            notifyAll();
        }
        if (stopping != null) {
            try {
                if (!stopping.join(pace.stopWithin())) {
                    stopping.interrupt();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }

    @Override
    public boolean isAutoStartup() {
        return node.works();
    }

    @Override
    public synchronized Set<String> endedThreads() {
        return running == null || running.isAlive() ? Set.of() : Set.of(running.getName());
    }

    private void run() {
        // Commands wait in the order in which their timers were taken.
        try (ExecutorService senders =
                Executors.newFixedThreadPool(
                        pace.atOnce(), Thread.ofVirtual().name("timer-", 0).factory())) {
            TimerDispatcher due =
                    new TimerDispatcher(
                            table,
                            commandSender,
                            clock,
                            sendings -> sendInParallel(sendings, senders));
            while (isRunning()) {
                try {
                    clearPollRequest();
                    Duration pause = pauseUntilNext();
                    if (pause.isPositive()) {
                        backlog.end();
                        await(pause);
                    } else if (due.fire() < TimerDispatcher.BATCH_SIZE) {
                        backlog.end();
                    }
                } catch (RuntimeException | Error e) {
                    // Any error is caught: without this loop no lease starts or ends any more.
                    backlog.end();
                    LOG.atWarn().setCause(e).log("Timers cannot be looked at");
                    await(Backoff.DEFAULT.first());
                }
            }
        } catch (InterruptedException e) {
            // The stop ends all waits; the timers that were taken are taken again.
            Thread.currentThread().interrupt();
        } finally {
            backlog.end();
        }
    }

    private synchronized void clearPollRequest() {
        pollRequested = false;
    }

    private List<Boolean> sendInParallel(List<BooleanSupplier> sendings, ExecutorService senders) {
        if (sendings.size() == TimerDispatcher.BATCH_SIZE) {
            backlog.begin();
        }
        List<CompletableFuture<Boolean>> sent =
                sendings.stream()
                        .map(s -> CompletableFuture.supplyAsync(s::getAsBoolean, senders))
                        .toList();
        return sent.stream().map(CompletableFuture::join).toList();
    }

    private Duration pauseUntilNext() {
        Duration next =
                table.nextDueTime()
                        .map(due -> Duration.between(clock.instant(), due))
                        .orElse(pace.polling());
        return next.compareTo(pace.polling()) < 0 ? next : pace.polling();
    }

    private synchronized void await(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toNanos();
                !pollRequested && running != null && left > 0;
                left = end - System.nanoTime()) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }
}
