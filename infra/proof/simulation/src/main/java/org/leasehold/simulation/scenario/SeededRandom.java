package org.leasehold.simulation.scenario;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The source of all random choices, drawn from one seed. */
public final class SeededRandom {

    private final SplittableRandom random;

    private SeededRandom(SplittableRandom random) {
        this.random = random;
    }

    public static SeededRandom of(long seed) {
        return new SeededRandom(new SplittableRandom(seed));
    }

    /** Returns another source. Draws from it do not affect this one. */
    public SeededRandom split() {
        return new SeededRandom(random.split());
    }

    public RandomGenerator generator() {
        return random;
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns a random number; both bounds are included. */
    public int between(int least, int greatest) {
        return random.nextInt(least, greatest + 1);
    }

    public boolean onceIn(int times) {
        return random.nextInt(times) == 0;
    }

    public Duration upTo(Duration longest) {
        return Duration.ofMillis(random.nextLong(longest.toMillis() + 1));
    }

    public <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    public UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
