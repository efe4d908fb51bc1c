package org.leasehold.resource;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The request for which the current thread calls the cloud. Plug-ins send its id to the cloud, so
 * that you can follow a request from the engine's logs into the cloud's.
 */
public final class CurrentRequest {

    private static final ScopedValue<String> ID = ScopedValue.newInstance();

    private CurrentRequest() {}

    /** Returns the id in OpenStack's form {@code req-<uuid>}; empty if there is no request. */
    public static Optional<String> id() {
        return ID.isBound() ? Optional.of(ID.get()) : Optional.empty();
    }

    /** Runs work as part of a request. */
    public static <T> T during(String id, Supplier<T> work) {
        return ScopedValue.where(ID, id).call(work::get);
    }

    /** Wraps work for another thread so that it runs as part of the current request. */
    public static <T> Supplier<T> propagate(Supplier<T> work) {
        return id().<Supplier<T>>map(id -> () -> during(id, work)).orElse(work);
    }
}
