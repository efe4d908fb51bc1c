package org.leasehold.bench;

import java.io.Serializable;
import java.util.List;

/** Work inside the engine, without HTTP. */
sealed interface InProcessRequest extends Serializable {

    LoadProfile pace();

    /** Creates leases through the command bus. */
    record Reserve(LoadProfile pace, RandomLeaseWindows someday) implements InProcessRequest {}

    /** Finds the earliest time at which enough hosts with the property are free, in thirty days. */
    record AskAvailability(LoadProfile pace, int hosts) implements InProcessRequest {}

    /** Queries any of some leases as of any time of its life. */
    record AskPast(LoadProfile pace, List<AsOfBenchmark.Life> lives) implements InProcessRequest {

        public AskPast {
            lives = List.copyOf(lives);
        }
    }
}
