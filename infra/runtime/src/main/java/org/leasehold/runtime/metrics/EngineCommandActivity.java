package org.leasehold.runtime.metrics;

import org.leasehold.command.CommandContext;
import org.leasehold.gateway.limits.EngineActivity;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The activity of the engine, seen from the commands that it sends: starts and ends of leases, and
 * reports of plug-in calls. A call that waits for the cloud needs no processor, and does not count.
 */
final class EngineCommandActivity implements EngineActivity {

    /** The time after a command in which the engine still reacts to it, or sends the next one. */
    static final Duration REACTION = Duration.ofMillis(100);

    private final LongSupplier nanoTime;
    private final AtomicInteger running = new AtomicInteger();
    private volatile long lastEnd;

    EngineCommandActivity(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.lastEnd = nanoTime.getAsLong() - REACTION.toNanos();
    }

    @Override
    public boolean isBusy() {
        return running.get() > 0 || nanoTime.getAsLong() - lastEnd < REACTION.toNanos();
    }

    /**
     * Runs the sending of a command. The engine is busy meanwhile if the command is its own, and
     * not an attempt of a retried request: there may be thousands of those.
     */
    <R> R record(LeaseCommand command, CommandContext context, Supplier<R> sending) {
        if (!context.isFromEngine()
                || command instanceof RetryCreation
                || command instanceof RetryEarly) {
            return sending.get();
        }
        running.incrementAndGet();
        try {
            return sending.get();
        } finally {
            lastEnd = nanoTime.getAsLong();
            running.decrementAndGet();
        }
    }
}
