package org.leasehold.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for asynchronous work of the product. */
public final class Await {

    /** Axon waits for up to a minute before it reads events again after a long failure. */
    private static final Duration LONGEST = Duration.ofMinutes(4);

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    /** Waits for a condition; computes the description of its absence only for a failure. */
    public static void until(Supplier<String> what, BooleanSupplier condition) {
        until(LONGEST, what, condition);
    }

    public static void until(Duration longest, Supplier<String> what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("did not come true within " + longest + ": " + what.get());
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    static <T> T found(String what, Supplier<Optional<T>> search) {
        until(what, () -> search.get().isPresent());
        return search.get().orElseThrow();
    }
}
