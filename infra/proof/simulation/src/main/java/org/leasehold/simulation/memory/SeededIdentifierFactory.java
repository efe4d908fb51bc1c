package org.leasehold.simulation.memory;

import org.axonframework.common.IdentifierFactory;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The ids of Axon's events and sagas: the same in every run of a seed. Axon loads one such service
 * for the whole process, so the current simulation is found by its thread.
 */
public final class SeededIdentifierFactory extends IdentifierFactory {

    private static final ThreadLocal<RandomGenerator> SOURCE =
            ThreadLocal.withInitial(() -> new SplittableRandom(0));

    /** Creates the factory. It is public, as the class is, for the service loader. */
    public SeededIdentifierFactory() {}

    /** Sets the source of this thread's ids. */
    public static void drawFrom(RandomGenerator source) {
        SOURCE.set(source);
    }

    @Override
    public String generateIdentifier() {
        RandomGenerator source = SOURCE.get();
        return new UUID(source.nextLong(), source.nextLong()).toString();
    }
}
