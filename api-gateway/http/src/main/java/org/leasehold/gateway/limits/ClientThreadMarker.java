package org.leasehold.gateway.limits;

/**
 * A mark of the threads that serve clients. Resources that all threads of the engine share, such as
 * connections to the database, reserve a part for threads without the mark.
 */
public final class ClientThreadMarker {

    private static final ThreadLocal<Work> WORK = ThreadLocal.withInitial(() -> Work.ENGINE);

    private ClientThreadMarker() {}

    /** The work of a thread. */
    private enum Work {
        ENGINE,
        REQUEST,
        LONG_READ
    }

    /** A mark of the current thread, until it is closed. */
    public static final class Mark implements AutoCloseable {

        private final Work previousWork = WORK.get();

        private Mark() {
            WORK.set(Work.REQUEST);
        }

        @Override
        public void close() {
            WORK.set(previousWork);
        }
    }

    /** Marks the current thread as one that serves a client. */
    public static Mark mark() {
        return new Mark();
    }

    /** Marks the current thread as a long read until its mark ends, if it serves a client. */
    public static void markLongRead() {
        if (isClientThread()) {
            WORK.set(Work.LONG_READ);
        }
    }

    /** Returns whether the current thread serves a client. */
    public static boolean isClientThread() {
        return WORK.get() != Work.ENGINE;
    }

    /** Returns whether the current thread serves a long read of a client. */
    public static boolean isLongRead() {
        return WORK.get() == Work.LONG_READ;
    }
}
