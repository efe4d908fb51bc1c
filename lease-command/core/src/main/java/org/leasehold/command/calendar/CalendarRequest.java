package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a command needs of the calendar before it can be decided. */
public sealed interface CalendarRequest {

    /** Nothing: answered with {@link Grant.Done}. */
    record Nothing() implements CalendarRequest {}

    /**
     * Hold these resources, in place of what these reservations held before. Answered with {@link
     * Grant.Held} or, if any reservation falls short, {@link Grant.TooFew} for all that do.
     *
     * @param wanted what each reservation wants: one of several demands is there once for each
     */
    record Hold(LeaseId lease, ProjectId project, List<Wanted> wanted) implements CalendarRequest {

        public Hold {
            wanted = List.copyOf(wanted);
        }
    }

    /**
     * What one reservation wants to hold. Cleaning time is added by the calendar.
     *
     * @param period the window to claim
     * @param current all that the reservation holds now; taken before others
     * @param running whether it has started, or starts now: what it keeps of {@code current} cannot
     *     be replaced by others, what joins must be in nobody's hands now, and it takes up what
     *     joins at once
     * @param adjusts whether, while it is running, it gets another tenure even if it keeps what it
     *     has: there is something to do in the cloud
     */
    record Wanted(
            ReservationId reservation,
            Demand demand,
            LeasePeriod period,
            List<ResourceId> current,
            boolean running,
            boolean adjusts) {

        public Wanted {
            current = List.copyOf(current);
        }

        /** There is nothing to do but for what it gains or loses. */
        public Wanted(
                ReservationId reservation,
                Demand demand,
                LeasePeriod period,
                List<ResourceId> current,
                boolean running) {
            this(reservation, demand, period, current, running, false);
        }
    }

    /**
     * Become the holder of what was granted. A resource that is out of service is replaced by
     * another free one where the demand allows it. Answered with {@link Grant.TakenUp}, {@link
     * Grant.Awaited} or {@link Grant.Unserviceable}.
     *
     * @param waits whether it is known already that the lease has to wait: then only the tables say
     *     that it still does. Who is told so for the first time asks once more, and may be told by
     *     memory, which costs nobody anything.
     */
    record TakeUp(LeaseId lease, ProjectId project, List<Granted> reservations, boolean waits)
            implements CalendarRequest {

        public TakeUp {
            reservations = List.copyOf(reservations);
        }
    }

    /**
     * What one reservation was granted.
     *
     * @param period from now to the end of the lease: the window in which a replacement must be
     *     free
     */
    record Granted(
            ReservationId reservation,
            List<Demand> demands,
            LeasePeriod period,
            List<Allocation> allocations) {

        public Granted {
            demands = List.copyOf(demands);
            allocations = List.copyOf(allocations);
        }
    }

    /**
     * Hold these very resources, whoever chose them, and for those that have them in the cloud
     * become their holder. Answered with {@link Grant.Held}, with the tenures of those, or with
     * {@link Grant.NotFree}.
     */
    record Adopt(LeaseId lease, ProjectId project, List<Adopted> reservations, Instant now)
            implements CalendarRequest {

        public Adopt {
            reservations = List.copyOf(reservations);
        }
    }

    /**
     * What one reservation has.
     *
     * @param demand what it was chosen for
     * @param slots how many slots of which resource; it does not matter where it is had as a whole
     * @param held whether it has them in the cloud
     */
    record Adopted(
            ReservationId reservation,
            Demand demand,
            LeasePeriod period,
            Map<ResourceId, Integer> slots,
            boolean held) {

        public Adopted {
            slots = Collections.unmodifiableMap(new TreeMap<>(slots));
        }
    }

    /**
     * The lease needs its claims only until {@code end} (plus cleaning, if it held the resources);
     * claims that have not begun by then are dropped. Answered with {@link Grant.Done}.
     */
    record Shorten(LeaseId lease, Instant end) implements CalendarRequest {}

    /**
     * The reservation gives resources out of its hands.
     *
     * @param resources which; empty for all
     */
    record LetGo(ReservationId reservation, Set<ResourceId> resources) implements CalendarRequest {

        public LetGo {
            resources = Set.copyOf(resources);
        }
    }

    /** {@link Shorten} and {@link LetGo} of every reservation in one. */
    record GiveUp(LeaseId lease, Instant end) implements CalendarRequest {}
}
