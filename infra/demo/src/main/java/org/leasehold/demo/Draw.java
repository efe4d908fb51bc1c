package org.leasehold.demo;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Everything that is left to chance: the same from the same seed, on every machine. */
final class Draw {

    private static final long VERSION_4 = 0x4000;
    private static final long VARIANT_2 = 0x8000_0000_0000_0000L;

    private final SplittableRandom random;

    private Draw(SplittableRandom random) {
        this.random = random;
    }

    static Draw of(long seed) {
        return new Draw(new SplittableRandom(seed));
    }

    /** Another source that does not disturb this one, however much is drawn from it. */
    Draw split() {
        return new Draw(random.split());
    }

    RandomGenerator generator() {
        return random;
    }

    /** Both bounds are included. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** True in that share of all cases. */
    boolean in(double share) {
        return random.nextDouble() < share;
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Duration upTo(Duration longest) {
        return Duration.ofMillis(random.nextLong(longest.toMillis() + 1));
    }

    /** From {@code least} to {@code most}, where each doubling is as likely as any other. */
    int spread(int least, int most) {
        double doublings = StrictMath.log((double) most / least) * random.nextDouble();
        return (int) StrictMath.round(least * StrictMath.exp(doublings));
    }

    /** How often something happens that happens so often on average, and never waits for itself. */
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
