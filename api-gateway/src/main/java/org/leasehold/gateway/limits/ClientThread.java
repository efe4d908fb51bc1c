package org.leasehold.gateway.limits;

/**
 * A mark of the threads that serve clients. What all threads of the engine share, such as
 * connections to the database, leaves something to those without it.
 */
public final class ClientThread {

    private static final ThreadLocal<Boolean> SERVES = ThreadLocal.withInitial(() -> false);

    private ClientThread() {}

    /** A mark of the current thread, until it is closed. */
    public static final class Mark implements AutoCloseable {

        private final boolean before = SERVES.get();

        private Mark() {
            SERVES.set(true);
        }

        @Override
        public void close() {
            SERVES.set(before);
        }
    }

    /** Says that the current thread serves a client. */
    public static Mark mark() {
        return new Mark();
    }

    /** Whether the current thread serves a client. */
    public static boolean isCurrent() {
        return SERVES.get();
    }
}
