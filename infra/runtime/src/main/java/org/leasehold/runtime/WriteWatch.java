package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The outcome of the last write. After a write failed because the database accepts none, the health
 * is down until a write succeeds, or until {@link #REMEMBERED} has passed.
 */
final class WriteWatch {

    static final Duration REMEMBERED = Duration.ofSeconds(30);

    /** A read-only server; no resources, disk or memory. Other states of class 53 stop no write. */
    private static final Set<String> STATES = Set.of("25006", "53000", "53100", "53200");

    private static final String SYSTEM_ERROR = "58";

    private final LongSupplier nanoTime;
    private final LongSupplier head;
    private volatile @Nullable Failure last;

    /**
     * Creates a watch without a known write.
     *
     * @param head the position of the last stored event
     */
    WriteWatch(LongSupplier nanoTime, LongSupplier head) {
        this.nanoTime = nanoTime;
        this.head = head;
    }

    /** A failed write, and the position of the last event stored before it. */
    private record Failure(String reason, long at, long head) {}

    /**
     * Records that a command was accepted or refused. The response to a repeated request, or to a
     * command without effect, has the position of an older event: nothing was written.
     *
     * @param position the event position that includes the outcome
     */
    void succeeded(long position) {
        Failure known = last;
        if (known != null && position > known.head()) {
            last = null;
        }
    }

    void failed(Throwable failure) {
        reason(failure)
                .ifPresent(
                        reason ->
                                last = new Failure(reason, nanoTime.getAsLong(), head.getAsLong()));
    }

    /** Returns why a write would fail now, as far as the last write shows it. */
    Optional<String> failure() {
        Failure known = last;
        return known == null || nanoTime.getAsLong() - known.at() > REMEMBERED.toNanos()
                ? Optional.empty()
                : Optional.of(known.reason());
    }

    /** Returns why the database accepts no writes, if a failure says so. */
    static Optional<String> reason(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                String state = sql.getSQLState();
                if (STATES.contains(state) || state.startsWith(SYSTEM_ERROR)) {
                    return Optional.of(String.valueOf(sql.getMessage()));
                }
            }
        }
        return Optional.empty();
    }
}
