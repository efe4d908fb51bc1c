package org.leasehold.runtime;

import org.leasehold.gateway.limits.ClientThread;
import org.leasehold.gateway.limits.LongReadsTaken;

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
 * The connections that requests may have at the same time. The pool has more: the rest is for
 * timers, sagas and projections, which must go on whatever clients request.
 */
final class RequestConnections {

    private final Semaphore free;

    /** Half of them: other requests go on, however many long reads there are. */
    private final Semaphore freeForLongReads;

    private final Duration patience;

    /** The number of connections that the current thread has. */
    private final ThreadLocal<AtomicInteger> own = ThreadLocal.withInitial(AtomicInteger::new);

    RequestConnections(int most, Duration patience) {
        this.free = new Semaphore(most, true);
        this.freeForLongReads = new Semaphore(Math.max(1, most / 2), true);
        this.patience = patience;
    }

    /** A source of connections. */
    @FunctionalInterface
    interface Source {
        Connection getConnection() throws SQLException;
    }

    /** Returns how many requests wait for a connection. */
    int waiting() {
        return free.getQueueLength() + freeForLongReads.getQueueLength();
    }

    /**
     * Takes a connection. A thread that has one does not wait for a second: all could wait for each
     * other.
     *
     * @throws LongReadsTaken if this is a long read, and others use their half for too long
     * @throws SQLTransientConnectionException if other requests use all connections for too long
     */
    Connection take(Source source) throws SQLException {
        AtomicInteger held = own.get();
        Runnable giveBack = held.get() == 0 ? await(ClientThread.isLongRead()) : () -> {};
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
            Connection connection = lent(source.getConnection(), release);
            taken = true;
            return connection;
        } finally {
            if (!taken) {
                release.run();
            }
        }
    }

    /** Waits for a permit, and returns the action that releases it. */
    private Runnable await(boolean longRead) throws SQLTransientConnectionException {
        long end = System.nanoTime() + patience.toNanos();
        if (longRead && !isTaken(freeForLongReads, end)) {
            throw new LongReadsTaken(patience);
        }
        boolean taken = false;
        try {
            taken = isTaken(free, end);
        } finally {
            if (longRead && !taken) {
                freeForLongReads.release();
            }
        }
        if (!taken) {
            throw new SQLTransientConnectionException(
                    "Other requests have had all connections for %s s"
                            .formatted(patience.toSeconds()));
        }
        return () -> {
            free.release();
            if (longRead) {
                freeForLongReads.release();
            }
        };
    }

    private static boolean isTaken(Semaphore semaphore, long end)
            throws SQLTransientConnectionException {
        try {
            return semaphore.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("Interrupted while others have them all", e);
        }
    }

    /** Returns a connection that reports when it is closed. */
    private static Connection lent(Connection real, Runnable closed) {
        return (Connection)
                Proxy.newProxyInstance(
                        RequestConnections.class.getClassLoader(),
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
