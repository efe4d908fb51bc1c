package org.leasehold.simulation;

import org.axonframework.common.IdentifierFactory;

/**
 * The ids that Axon gives to events and sagas: the same in every run of a seed. Axon finds it as a
 * service, one for the whole process, so that the simulation of the moment is found by its thread.
 */
public final class Identifiers extends IdentifierFactory {

    private static final ThreadLocal<Chance> CHANCE = ThreadLocal.withInitial(() -> Chance.of(0));

    /** Public, as the class is, because it is made as a service. */
    public Identifiers() {}

    /** Has this thread's ids drawn from another source. */
    static void drawFrom(Chance chance) {
        CHANCE.set(chance);
    }

    @Override
    public String generateIdentifier() {
        return CHANCE.get().uuid().toString();
    }
}
