package org.leasehold.bench;

import java.io.Serializable;
import java.util.List;

/** Work inside the engine, without HTTP. */
sealed interface Errand extends Serializable {

    Pace pace();

    /** Creates leases through the command bus. */
    record Reserve(Pace pace, Someday someday) implements Errand {}

    /** Finds the earliest time at which enough hosts with the property are free, in thirty days. */
    record AskAvailability(Pace pace, int hosts) implements Errand {}

    /** Queries any of some leases as of any time of its life. */
    record AskPast(Pace pace, List<Pasts.Life> lives) implements Errand {

        public AskPast {
            lives = List.copyOf(lives);
        }
    }
}
