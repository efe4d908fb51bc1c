package org.leasehold.runtime;

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
 * The connections that requests may have at once. It is less than the pool has: the rest is for
 * timers, processes and projections, which must go on whatever clients ask.
 */
final class RequestConnections {

    private final Semaphore free;
    private final Duration patience;

    /** How many connections the current thread has. */
    private final ThreadLocal<AtomicInteger> own = ThreadLocal.withInitial(AtomicInteger::new);

    RequestConnections(int most, Duration patience) {
        this.free = new Semaphore(most, true);
        this.patience = patience;
    }

    /** Where connections come from. */
    @FunctionalInterface
    interface Source {
        Connection getConnection() throws SQLException;
    }

    /** How many requests wait for one. */
    int waiting() {
        return free.getQueueLength();
    }

    /**
     * Takes a connection. A thread that has one does not wait for a second one: all of them could
     * wait for each other.
     *
     * @throws SQLTransientConnectionException if other requests have them all for too long
     */
    Connection take(Source source) throws SQLException {
        AtomicInteger held = own.get();
        boolean first = held.get() == 0;
        if (first) {
            await();
        }
        held.incrementAndGet();
        AtomicBoolean open = new AtomicBoolean(true);
        Runnable release =
                () -> {
                    if (open.compareAndSet(true, false)) {
                        held.decrementAndGet();
                        if (first) {
                            free.release();
                        }
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

    private void await() throws SQLTransientConnectionException {
        try {
            if (!free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTransientConnectionException(
                        "Other requests have had all connections for %s s"
                                .formatted(patience.toSeconds()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("Interrupted while others have them all", e);
        }
    }

    /** A connection that says when it is closed. */
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
