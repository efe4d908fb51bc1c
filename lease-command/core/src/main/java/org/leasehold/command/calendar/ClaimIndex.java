package org.leasehold.command.calendar;

import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The claims as this node remembers them. It may be outdated: what it calls free is only free once
 * the database agrees, and what it calls taken is no reason to refuse anything.
 *
 * <p>Reading never waits. While a lease changes, a reader may see some of its claims as before.
 */
final class ClaimIndex implements Occupation {

    private final Map<ResourceId, Slots> slots = new ConcurrentHashMap<>();
    private final Map<LeaseId, Map<ReservationId, List<Claim>>> leases = new HashMap<>();
    private volatile boolean ready;

    /** False until all claims are known: whoever looks before sees too much free time. */
    boolean isReady() {
        return ready;
    }

    /** Forgets everything, and learns from now on. */
    synchronized void start() {
        ready = false;
        leases.clear();
        slots.clear();
    }

    /** All claims of the start are known. */
    void complete() {
        ready = true;
    }

    @Override
    public boolean isFree(ResourceId resource, LeasePeriod window) {
        return slots(resource).isFree(window);
    }

    /** Who holds what is not remembered. */
    @Override
    public boolean isHeld(ResourceId resource) {
        return true;
    }

    @Override
    public int claimsOn(ResourceId resource) {
        return slots(resource).size();
    }

    Slots slots(ResourceId resource) {
        return slots.getOrDefault(resource, Slots.NONE);
    }

    /** The reservation's claims are these, whatever they were. */
    synchronized void put(LeaseId lease, ReservationId reservation, Collection<Claim> claims) {
        Map<ReservationId, List<Claim>> reservations =
                leases.computeIfAbsent(lease, _ -> new HashMap<>(2));
        List<Claim> now = List.copyOf(claims);
        List<Claim> before = reservations.getOrDefault(reservation, List.of());
        if (now.equals(before)) {
            return;
        }
        remove(before);
        if (now.isEmpty()) {
            reservations.remove(reservation);
        } else {
            reservations.put(reservation, now);
        }
        for (Claim claim : now) {
            slots.compute(
                    claim.resource(),
                    (_, its) -> (its == null ? Slots.NONE : its).with(claim.during()));
        }
        if (reservations.isEmpty()) {
            leases.remove(lease);
        }
    }

    /** The lease's claims are these and no others. */
    synchronized void put(LeaseId lease, Map<ReservationId, List<Claim>> claims) {
        for (ReservationId known : List.copyOf(leases.getOrDefault(lease, Map.of()).keySet())) {
            put(lease, known, claims.getOrDefault(known, List.of()));
        }
        claims.forEach((reservation, its) -> put(lease, reservation, its));
    }

    /** Forgets the claims that were over by then. */
    synchronized void forgetBefore(Instant instant) {
        leases.values()
                .removeIf(
                        reservations -> {
                            boolean over =
                                    reservations.values().stream()
                                            .flatMap(List::stream)
                                            .noneMatch(c -> c.during().end().isAfter(instant));
                            if (over) {
                                reservations.values().forEach(this::remove);
                            }
                            return over;
                        });
    }

    private void remove(List<Claim> claims) {
        for (Claim claim : claims) {
            slots.computeIfPresent(
                    claim.resource(),
                    (_, its) -> {
                        Slots left = its.without(claim.during());
                        return left.size() == 0 ? null : left;
                    });
        }
    }
}
