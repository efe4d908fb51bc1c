package org.leasehold.demo;

import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An action of a user, or an event of a host. */
sealed interface WorkloadStep {

    Instant at();

    /** An event of a resource, which has its name in the fleet. */
    sealed interface ToResource extends WorkloadStep {

        String resource();
    }

    /** An action on a lease. It has no effect if the lease was refused or cancelled before. */
    sealed interface ToLease extends WorkloadStep {

        LeaseId lease();
    }

    record Enrolled(Instant at, String resource) implements ToResource {}

    /** An outage of a host, reported to the engine. */
    record Down(Instant at, String resource) implements ToResource {}

    record Up(Instant at, String resource) implements ToResource {}

    record TakenOut(Instant at, String resource, String why) implements ToResource {}

    record PutBack(Instant at, String resource) implements ToResource {}

    record Labelled(Instant at, String resource, Map<String, String> labels)
            implements ToResource {}

    /** A retirement, unless a lease still needs the resource. */
    record Retired(Instant at, String resource) implements ToResource {}

    /** A request for a lease. */
    record Asked(
            Instant at,
            LeaseId lease,
            Project project,
            String user,
            String name,
            Instant start,
            Instant end,
            List<RequestedResources> wishes,
            Trouble trouble)
            implements ToLease {

        public Asked {
            wishes = List.copyOf(wishes);
        }
    }

    /** A request to extend a lease. */
    record Prolonged(Instant at, LeaseId lease, Instant end) implements ToLease {}

    /** An early end by the user. */
    record GivenBack(Instant at, LeaseId lease) implements ToLease {}

    /** A cancellation before the start. */
    record Cancelled(Instant at, LeaseId lease) implements ToLease {}

    /** An end by an operator, because no user came. */
    record NoShow(Instant at, LeaseId lease) implements ToLease {}

    /** A repair of the cause of a failed start, followed by a retry. */
    record Mended(Instant at, LeaseId lease) implements ToLease {}

    /**
     * An observation of the servers on a lease's whole hosts.
     *
     * @param servers the number of servers on each host
     */
    record Seen(Instant at, LeaseId lease, int servers) implements ToLease {}

    /** A fault of the cloud at the start of a lease. */
    enum Trouble {
        NONE,
        /** Some timeouts, so that the start is late. */
        SLOW,
        /** A permanent failure, until the repair. */
        BROKEN
    }
}
