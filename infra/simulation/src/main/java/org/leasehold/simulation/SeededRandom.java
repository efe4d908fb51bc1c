package org.leasehold.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The source of all random choices, drawn from one seed. */
final class SeededRandom {

    private final SplittableRandom random;

    private SeededRandom(SplittableRandom random) {
        this.random = random;
    }

    static SeededRandom of(long seed) {
        return new SeededRandom(new SplittableRandom(seed));
    }

    /** Returns another source. Draws from it do not affect this one. */
    SeededRandom split() {
        return new SeededRandom(random.split());
    }

    RandomGenerator generator() {
        return random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns a random number; both bounds are included. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    boolean onceIn(int times) {
        return random.nextInt(times) == 0;
    }

    Duration upTo(Duration longest) {
        return Duration.ofMillis(random.nextLong(longest.toMillis() + 1));
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
