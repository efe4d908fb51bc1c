package org.leasehold.runtime.database;

import org.leasehold.gateway.limits.ClientThreadMarker;
import org.leasehold.gateway.limits.LongReadLimitException;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the connections that requests have at the same time. The pool has more: the rest is for
 * timers, sagas and projections, which must continue under any load.
 */
final class RequestConnectionLimit {

    private final Semaphore permits;

    /** Half of the permits: other requests continue during any number of long reads. */
    private final Semaphore longReadPermits;

    private final Duration timeout;

    /** The number of connections that the current thread has. */
    private final ThreadLocal<AtomicInteger> heldConnections =
            ThreadLocal.withInitial(AtomicInteger::new);

    RequestConnectionLimit(int maxConnections, Duration patience) {
        this.permits = new Semaphore(maxConnections, true);
        this.longReadPermits = new Semaphore(Math.max(1, maxConnections / 2), true);
        this.timeout = patience;
    }

    /** A source of connections. */
    @FunctionalInterface
    interface Source {
        Connection getConnection() throws SQLException;
    }

    /** Returns how many requests wait for a connection. */
    int countWaiting() {
        return permits.getQueueLength() + longReadPermits.getQueueLength();
    }

    /**
     * Takes a connection. A thread that has one does not wait for a second: all could wait for each
     * other.
     *
     * @throws LongReadLimitException if this is a long read, and others use their half for too long
     * @throws SQLTransientConnectionException if other requests use all connections for too long
     */
    Connection acquireConnection(Source source) throws SQLException {
        AtomicInteger held = heldConnections.get();
        Runnable giveBack =
                held.get() == 0 ? acquirePermit(ClientThreadMarker.isLongRead()) : () -> {};
        held.incrementAndGet();
        AtomicBoolean open = new AtomicBoolean(true);
        Runnable release =
                () -> {
                    if (open.compareAndSet(true, false)) {
                        held.decrementAndGet();
                        giveBack.run();
                    }
                };
        boolean taken = false;
        try {
            Connection connection = wrapConnection(source.getConnection(), release);
            taken = true;
            return connection;
        } finally {
            if (!taken) {
                release.run();
            }
        }
    }

    /** Waits for a permit, and returns the action that releases it. */
    private Runnable acquirePermit(boolean longRead) throws SQLTransientConnectionException {
        long end = System.nanoTime() + timeout.toNanos();
        if (longRead && !tryAcquire(longReadPermits, end)) {
            throw new LongReadLimitException(timeout);
        }
        boolean taken = false;
        try {
            taken = tryAcquire(permits, end);
        } finally {
            if (longRead && !taken) {
                longReadPermits.release();
            }
        }
        if (!taken) {
            throw new SQLTransientConnectionException(
                    "Other requests have had all connections for %s s"
                            .formatted(timeout.toSeconds()));
        }
        return () -> {
            permits.release();
            if (longRead) {
                longReadPermits.release();
            }
        };
    }

    private static boolean tryAcquire(Semaphore semaphore, long end)
            throws SQLTransientConnectionException {
        try {
            return semaphore.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("Interrupted while others have them all", e);
        }
    }

    /** Returns a connection that reports when it is closed. */
    private static Connection wrapConnection(Connection real, Runnable closed) {
        return (Connection)
                Proxy.newProxyInstance(
                        RequestConnectionLimit.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "equals" -> self == arguments[0];
                                    case "hashCode" -> System.identityHashCode(self);
                                    case "close" -> {
                                        try {
                                            real.close();
                                        } finally {
                                            closed.run();
                                        }
                                        yield null;
                                    }
                                    default -> call(real, method, arguments);
                                });
    }

    private static Object call(Connection real, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
