package org.leasehold.simulation;

import org.axonframework.common.IdentifierFactory;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The ids that Axon gives to events and sagas: the same in every run of a seed. Axon finds it as a
 * service, one for the whole process, so that the simulation of the moment is found by its thread.
 */
public final class Identifiers extends IdentifierFactory {

    private static final ThreadLocal<RandomGenerator> SOURCE =
            ThreadLocal.withInitial(() -> new SplittableRandom(0));

    /** Public, as the class is, because it is made as a service. */
    public Identifiers() {}

    /** Has this thread's ids drawn from another source. */
    public static void drawFrom(RandomGenerator source) {
        SOURCE.set(source);
    }

    @Override
    public String generateIdentifier() {
        RandomGenerator source = SOURCE.get();
        return new UUID(source.nextLong(), source.nextLong()).toString();
    }
}
