package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The outcome of the last write. After one that failed because the database takes no writes, others
 * fail too, until one succeeds. Without another write, that is known for a while only.
 */
final class WriteWatch {

    static final Duration REMEMBERED = Duration.ofSeconds(30);

    /** A read-only server; no resources, disk or memory. The others of class 53 stop no write. */
    private static final Set<String> STATES = Set.of("25006", "53000", "53100", "53200");

    private static final String SYSTEM_ERROR = "58";

    private final LongSupplier nanoTime;
    private volatile @Nullable Failure last;

    WriteWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Failure(String reason, long at) {}

    void succeeded() {
        if (last != null) {
            last = null;
        }
    }

    void failed(Throwable failure) {
        reason(failure).ifPresent(reason -> last = new Failure(reason, nanoTime.getAsLong()));
    }

    /** Why a write would fail now, as far as the last one shows it. */
    Optional<String> failure() {
        Failure known = last;
        return known == null || nanoTime.getAsLong() - known.at() > REMEMBERED.toNanos()
                ? Optional.empty()
                : Optional.of(known.reason());
    }

    /** Why the database takes no writes, if that is what a failure says. */
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
