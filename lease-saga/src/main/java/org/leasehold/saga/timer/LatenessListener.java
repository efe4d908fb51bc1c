package org.leasehold.saga.timer;

import org.leasehold.lease.LeaseCommand;

import java.time.Duration;

/** Hears how late the engine was; measured from when it could have acted at the earliest. */
public interface LatenessListener {

    LatenessListener NONE =
            new LatenessListener() {
                @Override
                public void decided(LeaseCommand command, Duration lateness) {}

                @Override
                public void ready(Duration lateness) {}
            };

    /** The events of a timer's command are stored. */
    void decided(LeaseCommand command, Duration lateness);

    /** A reservation has its resources, so long after its start. */
    void ready(Duration lateness);
}
