package org.leasehold.resource;

import org.leasehold.inventory.ResourceKind;

import java.util.List;
import java.util.Optional;

/** The code for one kind of resource: all that the engine needs to lease it. */
public interface ResourcePlugin extends AutoCloseable {

    ResourceKind kind();

    Planning planning();

    Acting acting();

    /** Returns the completing part; empty if a request holds all that planning needs. */
    default Optional<RequestCompleter> requestCompleter() {
        return Optional.empty();
    }

    /** Returns the part that finds lease tags; empty if the kind has none. */
    default Optional<LeaseTagSource> leaseTagSource() {
        return Optional.empty();
    }

    /** Returns the part that lists objects for default leases; empty if the kind has none. */
    default Optional<DefaultLeaseSource> defaultLeaseSource() {
        return Optional.empty();
    }

    /** Returns the part that lists servers in reservations; empty if the kind contains none. */
    default Optional<ContainedServerSource> containedServerSource() {
        return Optional.empty();
    }

    /**
     * Checks whether the plug-in can work with its cloud now: the login, the services that it
     * needs, and what else can be seen. Changes nothing.
     */
    default CloudCheck check() {
        return CloudCheck.Passed.withoutServices();
    }

    /**
     * Returns the rights that the plug-in needs in its cloud. Creating the list sends no request to
     * the cloud; each trial does.
     */
    default List<RequiredRight> rights() {
        return List.of();
    }

    /**
     * Subscribes to the cloud's notifications about resources. A notification may be old, repeated
     * or wrong, and many changes send none: it is a reason to read the state now, and nothing else.
     *
     * @param news called for each notification, by any thread; returns at once
     * @return the subscription, which ends when you close it
     */
    default Listening subscribe(Runnable news) {
        return () -> {};
    }

    /** Releases what the plug-in holds, such as connections. */
    @Override
    default void close() {}

    /** A subscription to notifications, until it is closed. */
    @FunctionalInterface
    interface Listening extends AutoCloseable {

        @Override
        void close();
    }
}
