package org.leasehold.saga.fakes;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A wait for an effect of another thread. */
public final class Await {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                fail("did not come true within " + LONGEST + ": " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}
