package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The running calls of plug-ins in this process, limited in number for each plug-in, and in time. A
 * call is interrupted at its timeout. Until it returns it counts, and no other call starts for its
 * subject.
 */
final class PluginCallLimiter {

    private static final Logger LOG = LoggerFactory.getLogger(PluginCallLimiter.class);

    private final int perPlugin;
    private final Duration timeout;
    private final Function<Runnable, Thread> threadStarter;
    private final ConcurrentMap<ResourceKind, Semaphore> permits = new ConcurrentHashMap<>();
    private final Set<String> subjects = ConcurrentHashMap.newKeySet();

    PluginCallLimiter(int perPlugin, Duration timeout) {
        this(perPlugin, timeout, call -> Thread.ofVirtual().name("plugin-call").start(call));
    }

    /**
     * Makes calls in threads of the caller's choice.
     *
     * @param start runs a call, and returns the thread to interrupt at the timeout
     */
    PluginCallLimiter(int perPlugin, Duration timeout, Function<Runnable, Thread> start) {
        this.perPlugin = perPlugin;
        this.timeout = timeout;
        this.threadStarter = start;
    }

    /**
     * Returns a slot; empty if the plug-in is at its limit, or a call for the subject still runs.
     *
     * @param patience how long to wait for one of the plug-in's calls to end
     * @throws InterruptedException if this process is about to stop
     */
    Optional<Slot> acquire(ResourceKind kind, String subject, Duration patience)
            throws InterruptedException {
        Semaphore permit = permits.computeIfAbsent(kind, _ -> new Semaphore(perPlugin));
        if (!permit.tryAcquire() && !awaitPermit(permit, patience)) {
            return Optional.empty();
        }
        if (!subjects.add(subject)) {
            permit.release();
            return Optional.empty();
        }
        return Optional.of(new Slot(permit, subject));
    }

    private boolean awaitPermit(Semaphore permit, Duration patience) throws InterruptedException {
        // Threads that wait for one plug-in are missing for the others.
        return permit.getQueueLength() < perPlugin / 2
                && permit.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The right to make one call. */
    final class Slot implements AutoCloseable {

        private final Semaphore permit;
        private final String subject;
        private boolean called;

        private Slot(Semaphore permit, String subject) {
            this.permit = permit;
            this.subject = subject;
        }

        /**
         * Makes the call.
         *
         * @throws InterruptedException if this process is about to stop
         */
        Result call(Supplier<Result> action) throws InterruptedException {
            called = true;
            AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
            CompletableFuture<Result> answer =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return Objects.requireNonNull(action.get(), "no result");
                                } finally {
                                    release();
                                }
                            },
                            call -> thread.set(threadStarter.apply(call)));
            try {
                return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                interrupt(thread);
                return failedResult("no answer within " + timeout);
            } catch (InterruptedException stopping) {
                interrupt(thread);
                throw stopping;
            } catch (ExecutionException thrown) {
                LOG.atWarn()
                        .setCause(thrown.getCause())
                        .addKeyValue("subject", subject)
                        .log("A plugin threw instead of answering");
                return failedResult(String.valueOf(thrown.getCause()));
            }
        }

        private void release() {
            subjects.remove(subject);
            permit.release();
        }

        /** Releases a slot in which no call was made. */
        @Override
        public void close() {
            if (!called) {
                release();
            }
        }
    }

    private static void interrupt(AtomicReference<@Nullable Thread> reference) {
        Thread thread = reference.get();
        if (thread != null) {
            thread.interrupt();
        }
    }

    private static Result failedResult(String message) {
        return new Result.Failed(new Fault(Fault.Kind.RETRYABLE, message));
    }
}
