package org.leasehold.resource.openstack;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A concurrency limit for each service: a service that hangs delays its own callers only. */
final class Turns {

    private final int most;
    private final Duration patience;
    private final Map<String, Semaphore> byService = new ConcurrentHashMap<>();

    Turns(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    <T> T take(String service, Supplier<T> call) {
        Semaphore places =
                byService.computeIfAbsent(service, first -> new Semaphore(most, /* fair= */ true));
        try {
            if (!places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw CloudFailure.noAnswer(
                        "%s calls to %s have been going on for %s"
                                .formatted(most, service, patience));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CloudFailure.noAnswer("A call to " + service + " was given up");
        }
        try {
            return call.get();
        } finally {
            places.release();
        }
    }
}
