package org.leasehold.command.lease;

import org.leasehold.calendar.Shortage;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;

import java.util.List;

/** What is to become of a command. */
sealed interface Decision {

    /**
     * It is done.
     *
     * @param events what happens; empty when there is nothing to do
     */
    record Accepted(List<LeaseEvent> events) implements Decision {

        public Accepted {
            events = List.copyOf(events);
        }
    }

    /** The calendar cannot hold it: that happens, and nothing else does. */
    record Refused(LeaseEvent event, List<Shortage> shortages) implements Decision {}

    /** It is invalid or comes at the wrong time: nothing happens. */
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
