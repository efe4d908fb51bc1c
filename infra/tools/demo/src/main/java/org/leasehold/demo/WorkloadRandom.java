package org.leasehold.demo;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The source of all random choices: the same from the same seed, on every machine. */
final class WorkloadRandom {

    private static final long VERSION_4 = 0x4000;
    private static final long VARIANT_2 = 0x8000_0000_0000_0000L;

    private final SplittableRandom random;

    private WorkloadRandom(SplittableRandom random) {
        this.random = random;
    }

    static WorkloadRandom of(long seed) {
        return new WorkloadRandom(new SplittableRandom(seed));
    }

    /** Returns another source. Draws from it do not affect this one. */
    WorkloadRandom split() {
        return new WorkloadRandom(random.split());
    }

    RandomGenerator generator() {
        return random;
    }

    /** Returns a random number; both bounds are included. */
    int between(int least, int greatest) {
        return random.nextInt(least, greatest + 1);
    }

    /** Returns true for that share of all calls. */
    boolean drawBoolean(double share) {
        return random.nextDouble() < share;
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Duration upTo(Duration longest) {
        return Duration.ofMillis(random.nextLong(longest.toMillis() + 1));
    }

    /** Returns a number from {@code least} to {@code greatest}; each doubling is equally likely. */
    int drawLogUniform(int least, int greatest) {
        double doublings = StrictMath.log((double) greatest / least) * random.nextDouble();
        return (int) StrictMath.round(least * StrictMath.exp(doublings));
    }

    /** Returns a Poisson-distributed count with a mean: the events are independent. */
    int poisson(double mean) {
        double limit = StrictMath.exp(-mean);
        int times = 0;
        for (double left = random.nextDouble(); left > limit; left *= random.nextDouble()) {
            times++;
        }
        return times;
    }

    UUID uuid() {
        return new UUID(
                (random.nextLong() & ~0xF000L) | VERSION_4, (random.nextLong() >>> 2) | VARIANT_2);
    }
}
