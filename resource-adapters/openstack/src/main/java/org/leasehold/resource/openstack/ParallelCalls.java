package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.CurrentRequest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Parallel work on many resources.
 *
 * @param maxCalls the concurrency limit
 */
public record ParallelCalls(int maxCalls) {

    /** Runs the work for each, as {@link #map} does. */
    public <T> void forEach(Collection<T> all, Consumer<T> work) {
        map(
                all,
                one -> {
                    work.accept(one);
                    return true;
                });
    }

    /**
     * Runs the work for each, also if some fail. Then throws one of the failures, preferably one
     * that a retry does not cure.
     */
    public <T, R> List<R> map(Collection<T> all, Function<T, R> work) {
        if (all.isEmpty()) {
            return List.of();
        }
        try (ExecutorService threads =
                Executors.newFixedThreadPool(
                        Math.min(maxCalls, all.size()), Thread.ofVirtual().factory())) {
            List<Callable<R>> calls =
                    all.stream()
                            .map(one -> CurrentRequest.propagate(() -> work.apply(one)))
                            .map(call -> (Callable<R>) call::get)
                            .toList();
            return results(threads.invokeAll(calls));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE, CloudFailure.NO_ANSWER, "The call was given up");
        }
    }

    private static <R> List<R> results(List<Future<R>> futures) throws InterruptedException {
        List<R> results = new ArrayList<>();
        List<CloudFailure> failures = new ArrayList<>();
        for (Future<R> future : futures) {
            try {
                results.add(future.get());
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof CloudFailure failure) {
                    failures.add(failure);
                } else {
                    throw new IllegalStateException(failed.getCause());
                }
            }
        }
        @Nullable CloudFailure worst =
                failures.stream()
                        .min(Comparator.comparing(ParallelCalls::isRetryable))
                        .orElse(null);
        if (worst != null) {
            throw worst;
        }
        return results;
    }

    private static boolean isRetryable(CloudFailure failure) {
        return failure.fault().kind() == Fault.Kind.RETRYABLE;
    }
}
