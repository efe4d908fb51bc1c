package org.leasehold.gateway.limits;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Slows bulk reads down while the engine starts or ends leases. A list without a limit keeps a core
 * busy as long as its client reads. So each of its parts waits for a multiple of the time that the
 * part before took, and the engine keeps most of the machine.
 */
public final class BulkReadPacer {

    /** The pause before a part, as a multiple of the time that the part before took. */
    static final int PAUSE_PER_PART = 3;

    static final Duration MAX_PAUSE = Duration.ofMillis(250);

    private final EngineActivity engine;
    private final LongSupplier nanoTime;
    private final Pause pause;

    /** Creates a pacer by the system's time. */
    public BulkReadPacer(EngineActivity engine) {
        this(engine, System::nanoTime, Thread::sleep);
    }

    BulkReadPacer(EngineActivity engine, LongSupplier nanoTime, Pause pause) {
        this.engine = engine;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /** A wait of the thread. */
    @FunctionalInterface
    interface Pause {
        void sleep(Duration duration) throws InterruptedException;
    }

    /** Returns the pace of one read, whose first part begins now. */
    public Pace begin() {
        return new Pace();
    }

    /** The pace of one read; its thread alone uses it. */
    public final class Pace {

        private long partStart = nanoTime.getAsLong();

        private Pace() {}

        /**
         * Waits before the next part if the engine is busy.
         *
         * @throws InterruptedIOException if the server stops
         */
        public void awaitNextPart() throws InterruptedIOException {
            if (engine.isBusy()) {
                long took = nanoTime.getAsLong() - partStart;
                long nanos = Math.min(took * PAUSE_PER_PART, MAX_PAUSE.toNanos());
                try {
                    pause.sleep(Duration.ofNanos(nanos));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("The server stops");
                }
            }
            partStart = nanoTime.getAsLong();
        }
    }
}
