package org.leasehold.resource;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The request because of which the present thread asks the cloud. Plugins tell the cloud its id, so
 * that the cloud's logs go on where the engine's end.
 */
public final class CurrentRequest {

    private static final ScopedValue<String> ID = ScopedValue.newInstance();

    private CurrentRequest() {}

    /** In OpenStack's form {@code req-<uuid>}; empty where the engine looks of its own accord. */
    public static Optional<String> id() {
        return ID.isBound() ? Optional.of(ID.get()) : Optional.empty();
    }

    /** Does something because of a request. */
    public static <T> T during(String id, Supplier<T> work) {
        return ScopedValue.where(ID, id).call(work::get);
    }

    /** What is to be done in another thread because of the request of this one. */
    public static <T> Supplier<T> passedOn(Supplier<T> work) {
        return id().<Supplier<T>>map(id -> () -> during(id, work)).orElse(work);
    }
}
