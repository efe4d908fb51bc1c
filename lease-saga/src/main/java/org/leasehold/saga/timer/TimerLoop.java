package org.leasehold.saga.timer;

import org.leasehold.history.Backoff;
import org.leasehold.history.RetryingThread;
import org.leasehold.history.VitalThreads;
import org.leasehold.saga.node.Node;
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
    private final RetryingThread thread = new RetryingThread("timers", this::run);

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
            thread.wake();
        }
    }

    @Override
    public void start() {
        thread.start();
    }

    /** Interrupts its work after a while. Timers that were taken are taken again later. */
    @Override
    public void stop() {
        try {
            thread.stop(pace.stopWithin(), Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread.isRunning();
    }

    @Override
    public boolean isAutoStartup() {
        return node.works();
    }

    @Override
    public Set<String> endedThreads() {
        return thread.endedThreads();
    }

    private void run() throws InterruptedException {
        // Commands wait in the order in which their timers were taken.
        try (ExecutorService senders =
                Executors.newFixedThreadPool(
                        pace.atOnce(), Thread.ofVirtual().name("timer-", 0).factory())) {
            TimerDispatcher dispatcher =
                    new TimerDispatcher(
                            table,
                            commandSender,
                            clock,
                            sendings -> sendInParallel(sendings, senders));
            thread.repeat(
                    () -> fireDueTimers(dispatcher),
                    _ -> Backoff.DEFAULT.first(),
                    this::logFailure);
        } finally {
            backlog.end();
        }
    }

    /** Fires due timers; returns the pause before the next ones. */
    private Duration fireDueTimers(TimerDispatcher dispatcher) {
        Duration pause = pauseUntilNext();
        if (pause.isPositive()) {
            backlog.end();
            return pause;
        }
        if (dispatcher.fire() < TimerDispatcher.BATCH_SIZE) {
            backlog.end();
        }
        return Duration.ZERO;
    }

    private void logFailure(Throwable e) {
        backlog.end();
        LOG.atWarn().setCause(e).log("Timers cannot be looked at");
    }

    private List<Boolean> sendInParallel(List<BooleanSupplier> sendings, ExecutorService senders) {
        if (sendings.size() >= TimerDispatcher.BATCH_SIZE) {
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
}
