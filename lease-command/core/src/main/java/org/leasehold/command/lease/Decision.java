package org.leasehold.command.lease;

import org.leasehold.calendar.Shortage;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;

import java.util.List;

/** The decision about a command. */
sealed interface Decision {

    /**
     * The command is executed.
     *
     * @param events the events; empty if there is nothing to do
     */
    record Accepted(List<LeaseEvent> events) implements Decision {

        public Accepted {
            events = List.copyOf(events);
        }
    }

    /** The calendar cannot hold the request: the refusal is the only event. */
    record Refused(LeaseEvent event, List<Shortage> shortages) implements Decision {}

    /** The command is invalid or untimely: nothing happens. */
    record Rejected(LeaseRejection rejection) implements Decision {}

    static Decision accepted(LeaseEvent... events) {
        return new Accepted(List.of(events));
    }

    static Decision accepted(List<? extends LeaseEvent> events) {
        return new Accepted(List.copyOf(events));
    }

    static Decision rejected(LeaseRejection rejection) {
        return new Rejected(rejection);
    }
}
