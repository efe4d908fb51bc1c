package org.leasehold.resource.openstack;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A concurrency limit for each service: a service that hangs delays its own callers only. */
final class CallLimiter {

    private final int maxCalls;
    private final Duration timeout;
    private final Map<String, Semaphore> byService = new ConcurrentHashMap<>();

    CallLimiter(int maxCalls, Duration patience) {
        this.maxCalls = maxCalls;
        this.timeout = patience;
    }

    <T> T call(String service, Supplier<T> call) {
        Semaphore places =
                byService.computeIfAbsent(
                        service, first -> new Semaphore(maxCalls, /* fair= */ true));
        try {
            if (!places.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw CloudFailure.noAnswer(
                        "%s calls to %s have been going on for %s"
                                .formatted(maxCalls, service, timeout));
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
