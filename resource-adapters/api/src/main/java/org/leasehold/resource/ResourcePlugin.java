package org.leasehold.resource;

import org.leasehold.inventory.ResourceKind;

import java.util.List;
import java.util.Optional;

/** All that the engine needs to know to lease one kind of resource. */
public interface ResourcePlugin extends AutoCloseable {

    ResourceKind kind();

    Planning planning();

    Acting acting();

    /** Empty where a wish says all that planning needs. */
    default Optional<Completing> completing() {
        return Optional.empty();
    }

    /** Empty where nothing in the cloud asks to be leased. */
    default Optional<Petitioning> petitioning() {
        return Optional.empty();
    }

    /**
     * Asks the cloud whether the plugin could work now: whether the login is right, the services
     * that it needs are there, and what else can be seen. Changes nothing.
     */
    default CloudCheck check() {
        return CloudCheck.Passed.withoutServices();
    }

    /**
     * The rights that the plugin needs in its cloud. The list is made without a question to the
     * cloud; each trial asks it.
     */
    default List<Right> rights() {
        return List.of();
    }

    /**
     * Says when the cloud tells that something has happened to resources. What is told may be old,
     * told twice, or not be so at all, and much is never told: it is a reason to look now, and
     * nothing else.
     *
     * @param news to be called then, by any thread; returns at once
     * @return to be closed by whoever wants to hear no more
     */
    default Listening listen(Runnable news) {
        return () -> {};
    }

    /** Gives back what the plugin holds, such as connections. */
    @Override
    default void close() {}

    /** Somebody listens until it is closed. */
    @FunctionalInterface
    interface Listening extends AutoCloseable {

        @Override
        void close();
    }
}
