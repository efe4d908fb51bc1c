package org.leasehold.bench.inprocess;

import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.load.RandomLeaseWindows;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Work inside the engine, without HTTP. */
public sealed interface InProcessRequest extends Serializable {

    LoadProfile pace();

    /** Creates leases through the command bus. */
    record Reserve(LoadProfile pace, RandomLeaseWindows someday) implements InProcessRequest {}

    /** Finds the earliest time at which enough hosts with the property are free, in thirty days. */
    record AskAvailability(LoadProfile pace, int hosts) implements InProcessRequest {}

    /** Queries any of some leases as of any time of its life. */
    record AskPast(LoadProfile pace, List<Life> lives) implements InProcessRequest {

        public AskPast {
            lives = List.copyOf(lives);
        }
    }

    /** A lease, from its first event to its last. */
    record Life(UUID lease, Instant from, Instant to) implements Serializable {

        public Instant randomInstant(SplittableRandom random) {
            return from.plusNanos(random.nextLong(Duration.between(from, to).toNanos() + 1));
        }
    }
}
