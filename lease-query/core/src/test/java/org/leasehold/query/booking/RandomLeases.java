package org.leasehold.query.booking;

import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.tenure;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/** Random leases of two projects, with more events than any would have, projected in batches. */
public final class RandomLeases {

    /** The number of hosts, which are numbered from 1. */
    public static final int HOSTS = 4;

    /** The number of leases, which are numbered from 1, too. */
    public static final int LEASES = 5;

    private final BookingEventLog journal;
    private final Runnable follow;
    private LongConsumer beside = _ -> {};
    private final SplittableRandom random;
    private final Map<ReservationId, List<Allocation>> granted = new HashMap<>();
    private final List<Long> requested = new ArrayList<>();
    private long now;

    /**
     * Creates such leases.
     *
     * @param follow makes read models apply the events so far
     */
    public RandomLeases(BookingEventLog journal, SplittableRandom random, Runnable follow) {
        this.journal = journal;
        this.random = random;
        this.follow = follow;
    }

    /** Adds a side effect at a minute, with each event. */
    public RandomLeases with(LongConsumer happening) {
        beside = happening;
        return this;
    }

    public void live(int events) {
        for (int i = 0; i < events; i++) {
            now += random.nextInt(4);
            step();
            beside.accept(now);
            if (random.nextInt(6) == 0) {
                follow.run();
            }
        }
        follow.run();
    }

    private void step() {
        long number = random.nextLong(1, LEASES + 1L);
        if (!requested.contains(number)) {
            requested.add(number);
            journal.request(now, number, number % 2 == 0 ? "astronomy" : "biology");
            return;
        }
        ReservationId id = reservation(number, random.nextLong(1, 3));
        // Sometimes a node has stalled.
        long at = random.nextInt(8) == 0 ? now - random.nextInt(20) : now;
        if (!granted.containsKey(id)) {
            grant(at, number, id);
            return;
        }
        switch (random.nextInt(11)) {
            case 0, 1 -> grant(at, number, id);
            case 2 -> replace(at, number, id);
            case 3 -> journal.append(at, new LeaseStarting(lease(number), List.of(tenure(id))));
            case 4, 5 -> journal.append(at, new ReservationActivated(lease(number), id));
            case 6 ->
                    journal.append(
                            at,
                            new ReservationFailed(
                                    lease(number),
                                    id,
                                    random.nextBoolean() ? Action.START : Action.END,
                                    new Fault(Fault.Kind.PERMANENT, "by chance")));
            case 9, 10 -> goDownOrComeUp(at, number, id);
            case 7 -> journal.append(at, new LeaseRenamed(lease(number), "another"));
            default -> {
                if (random.nextInt(4) == 0) {
                    journal.end(at, number, EndCause.REQUESTED);
                }
            }
        }
    }

    private void grant(long at, long number, ReservationId id) {
        long start = at + random.nextInt(30);
        List<Allocation> allocations = new ArrayList<>();
        for (int host = 1; host <= HOSTS; host++) {
            if (random.nextInt(3) == 0) {
                allocations.add(
                        random.nextBoolean() ? host(host) : share(host, 1 + random.nextInt(3)));
            }
        }
        granted.put(id, allocations);
        journal.append(
                at,
                new ReservationGranted(
                        lease(number),
                        id,
                        window(start, start + 1 + random.nextInt(60)),
                        Duration.ZERO,
                        allocations));
    }

    private void goDownOrComeUp(long at, long number, ReservationId id) {
        List<Allocation> allocations = granted.get(id);
        if (!allocations.isEmpty()) {
            ResourceId resource = allocations.getLast().resource();
            journal.append(
                    at,
                    random.nextBoolean()
                            ? new ResourceFailed(lease(number), id, resource, "by chance")
                            : new ResourceRecovered(lease(number), id, resource));
        }
    }

    private void replace(long at, long number, ReservationId id) {
        List<Allocation> allocations = granted.get(id);
        if (allocations.isEmpty()) {
            return;
        }
        ResourceId old = allocations.getFirst().resource();
        Allocation other = share(old.value() % HOSTS + 1, 1 + random.nextInt(3));
        if (allocations.stream().anyMatch(each -> each.resource().equals(other.resource()))) {
            return;
        }
        allocations.set(0, other);
        journal.append(at, new ResourceReplaced(lease(number), id, old, other, "by chance"));
    }
}
