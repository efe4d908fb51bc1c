package org.leasehold.bench;

import java.io.Serializable;
import java.util.List;

/** What is to be done inside the engine, past HTTP. */
sealed interface Errand extends Serializable {

    Pace pace();

    /** Create leases through the command bus. */
    record Reserve(Pace pace, Someday someday) implements Errand {}

    /** Ask when so many hosts with the property are free first, within thirty days. */
    record AskAvailability(Pace pace, int hosts) implements Errand {}

    /** Ask what any of some leases was at any time of its life. */
    record AskPast(Pace pace, List<Pasts.Life> lives) implements Errand {

        public AskPast {
            lives = List.copyOf(lives);
        }
    }
}
