package org.leasehold.gateway.completion;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Completes requests with the help of the cloud, before they become commands and outside of any
 * transaction. The timeout is shorter than that of clients.
 */
public final class TimedRequestCompleter implements AutoCloseable {

    private final Plugins plugins;
    private final Duration timeout;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    TimedRequestCompleter(Plugins plugins, Duration longest) {
        this.plugins = plugins;
        this.timeout = longest;
    }

    /** Returns the parameters of a kind that only the cloud, and no client, may set. */
    public Set<String> cloudOnlyParameters(ResourceKind kind) {
        return findCompleter(kind).map(RequestCompleter::addedParameters).orElse(Set.of());
    }

    /**
     * Completes a request. It drops parameters that only the cloud may set.
     *
     * @param present the parameters of the reservation that changes; nothing for a new one
     */
    public Completion complete(
            ResourceKind kind,
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker) {
        return findCompleter(kind)
                .map(
                        completing -> {
                            Map<String, @Nullable Object> own = new LinkedHashMap<>(asked);
                            own.keySet().removeAll(completing.addedParameters());
                            return callWithTimeout(
                                    () ->
                                            CurrentRequest.during(
                                                    asker.request(),
                                                    () -> completing.complete(own, present, asker)),
                                    kind);
                        })
                .orElseGet(() -> new Completion.Complete(asked));
    }

    private Optional<RequestCompleter> findCompleter(ResourceKind kind) {
        return plugins.find(kind).flatMap(ResourcePlugin::requestCompleter);
    }

    private Completion callWithTimeout(Callable<Completion> call, ResourceKind kind) {
        Future<Completion> completion = executor.submit(call);
        try {
            return completion.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return unknownCompletion("The cloud has not answered in " + timeout.toSeconds() + " s");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return unknownCompletion("Asking the cloud was given up");
        } catch (ExecutionException broken) {
            throw new IllegalStateException("A request for " + kind + " broke its plugin", broken);
        } finally {
            completion.cancel(/* mayInterruptIfRunning= */ true);
        }
    }

    private static Completion unknownCompletion(String message) {
        return new Completion.Unknown(new Fault(Fault.Kind.RETRYABLE, message));
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
