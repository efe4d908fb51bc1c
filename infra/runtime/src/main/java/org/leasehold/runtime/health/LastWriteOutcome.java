package org.leasehold.runtime.health;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The outcome of the last write. After a write failed because the database accepts none, the health
 * is down until a write succeeds, or until {@link #FAILURE_RETENTION} has passed.
 */
public final class LastWriteOutcome {

    static final Duration FAILURE_RETENTION = Duration.ofSeconds(30);

    /** A read-only server; no resources, disk or memory. Other states of class 53 stop no write. */
    private static final Set<String> UNWRITABLE_STATES = Set.of("25006", "53000", "53100", "53200");

    private static final String SYSTEM_ERROR = "58";

    private final LongSupplier nanoTime;
    private final LongSupplier lastPosition;
    private volatile @Nullable Failure lastFailure;

    /**
     * Creates a watch without a known write.
     *
     * @param head the position of the last stored event
     */
    LastWriteOutcome(LongSupplier nanoTime, LongSupplier head) {
        this.nanoTime = nanoTime;
        this.lastPosition = head;
    }

    /** A failed write, and the position of the last event stored before it. */
    private record Failure(String reason, long at, long head) {}

    /**
     * Records that a command was accepted or refused. The response to a repeated request, or to a
     * command without effect, has the position of an older event: nothing was written.
     *
     * @param position the event position that includes the outcome
     */
    public void recordSuccess(long position) {
        Failure known = lastFailure;
        if (known != null && position > known.head()) {
            lastFailure = null;
        }
    }

    public void recordFailure(Throwable failure) {
        findReason(failure)
                .ifPresent(
                        reason ->
                                lastFailure =
                                        new Failure(
                                                reason,
                                                nanoTime.getAsLong(),
                                                lastPosition.getAsLong()));
    }

    /** Returns why a write would fail now, as far as the last write shows it. */
    Optional<String> failure() {
        Failure known = lastFailure;
        return known == null || nanoTime.getAsLong() - known.at() > FAILURE_RETENTION.toNanos()
                ? Optional.empty()
                : Optional.of(known.reason());
    }

    /** Returns the reason why the database accepts no writes, if a failure contains one. */
    static Optional<String> findReason(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                String state = sql.getSQLState();
                if (UNWRITABLE_STATES.contains(state) || state.startsWith(SYSTEM_ERROR)) {
                    return Optional.of(String.valueOf(sql.getMessage()));
                }
            }
        }
        return Optional.empty();
    }
}
