package org.leasehold.demo;

import org.leasehold.lease.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Something that somebody does, or that befalls a host. */
sealed interface Happening {

    Instant at();

    /** What happens to a resource; it is named as the fleet names it. */
    sealed interface ToResource extends Happening {

        String resource();
    }

    /**
     * What becomes of a lease. Whoever was refused, or has changed its mind before, does nothing.
     */
    sealed interface ToLease extends Happening {

        LeaseId lease();
    }

    record Enrolled(Instant at, String resource) implements ToResource {}

    /** A host dies, and the engine hears of it. */
    record Down(Instant at, String resource) implements ToResource {}

    record Up(Instant at, String resource) implements ToResource {}

    record TakenOut(Instant at, String resource, String why) implements ToResource {}

    record PutBack(Instant at, String resource) implements ToResource {}

    record Labelled(Instant at, String resource, Map<String, String> labels)
            implements ToResource {}

    /** It is retired, unless somebody counts on it yet. */
    record Retired(Instant at, String resource) implements ToResource {}

    /** Somebody asks for a lease. */
    record Asked(
            Instant at,
            LeaseId lease,
            Project project,
            String user,
            String name,
            Instant start,
            Instant end,
            List<Wish> wishes,
            Trouble trouble)
            implements ToLease {

        public Asked {
            wishes = List.copyOf(wishes);
        }
    }

    /** Somebody wants a lease that they have longer. */
    record Prolonged(Instant at, LeaseId lease, Instant end) implements ToLease {}

    /** Somebody is done before the time is over. */
    record GivenBack(Instant at, LeaseId lease) implements ToLease {}

    /** Somebody does not need a lease any more that has not begun. */
    record Cancelled(Instant at, LeaseId lease) implements ToLease {}

    /** Nobody has come, and an operator ends the lease. */
    record NoShow(Instant at, LeaseId lease) implements ToLease {}

    /** An operator mends what the start of a lease has failed on, and has it tried again. */
    record Mended(Instant at, LeaseId lease) implements ToLease {}

    /**
     * The engine looks at what runs on the whole hosts that a lease has.
     *
     * @param servers on each of them
     */
    record Seen(Instant at, LeaseId lease, int servers) implements ToLease {}

    /** What goes wrong in the cloud when a lease starts. */
    enum Trouble {
        NONE,
        /** It times out a few times, so that the start is late. */
        SLOW,
        /** It fails until somebody mends it. */
        BROKEN
    }
}
