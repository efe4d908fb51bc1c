package org.leasehold.saga.timer;

import org.leasehold.lease.LeaseCommand;

import java.time.Duration;

/** A listener for the engine's lateness, measured from the earliest possible time of the action. */
public interface LatenessListener {

    LatenessListener NONE =
            new LatenessListener() {
                @Override
                public void commandDecided(LeaseCommand command, Duration lateness) {}

                @Override
                public void reservationReady(Duration lateness) {}
            };

    /** Reports that the events of a timer's command are stored. */
    void commandDecided(LeaseCommand command, Duration lateness);

    /** Reports that a reservation has its resources, so long after its start. */
    void reservationReady(Duration lateness);
}
