package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The claims, and who has what, as this node remembers them. It may be outdated: what it calls free
 * is only free once the database agrees, and what it calls taken is no reason to refuse anything.
 *
 * <p>Reading never waits. While a lease changes, a reader may see some of its claims as before.
 */
final class ClaimIndex implements Occupation {

    private final Map<ResourceId, Slots> slots = new ConcurrentHashMap<>();

    /** When resources are shared, of the few that are. */
    private final Map<ResourceId, Slots> shared = new ConcurrentHashMap<>();

    /** Claims on parts of resources. Each list is immutable, for readers that do not wait. */
    private final Map<ResourceId, List<Claim>> shares = new ConcurrentHashMap<>();

    private final Map<LeaseId, Map<ReservationId, List<Claim>>> leases = new HashMap<>();
    private final Map<ResourceId, List<ReservationId>> holders = new ConcurrentHashMap<>();
    private final Map<LeaseId, Map<ReservationId, Set<ResourceId>>> held = new HashMap<>();
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
        shared.clear();
        shares.clear();
        holders.clear();
        held.clear();
    }

    /** All claims of the start are known. */
    void complete() {
        ready = true;
    }

    @Override
    public boolean isFree(ResourceId resource, LeasePeriod window) {
        return slots.getOrDefault(resource, Slots.NONE).isFree(window)
                && shared.getOrDefault(resource, Slots.NONE).isFree(window);
    }

    @Override
    public boolean isHeld(ResourceId resource) {
        return holders.containsKey(resource);
    }

    /**
     * Returns the claims on parts of a resource, and one claim on the whole for each window in
     * which the whole is claimed at some time.
     */
    List<Claim> claims(ResourceId resource, Collection<LeasePeriod> windows) {
        List<Claim> parts = shares.getOrDefault(resource, List.of());
        Slots whole = slots.getOrDefault(resource, Slots.NONE);
        List<Claim> claims = parts;
        // No stream: each placement asks for the claims of every candidate.
        for (LeasePeriod window : windows) {
            if (whole.size() > 0 && !whole.isFree(window)) {
                claims = claims == parts ? new ArrayList<>(parts) : claims;
                claims.add(new Claim(resource, window));
            }
        }
        return claims;
    }

    /** Who has the resource: nobody, one who has it whole, or all that share it. */
    List<ReservationId> holders(ResourceId resource) {
        return holders.getOrDefault(resource, List.of());
    }

    /** The reservation has these resources in its hands, beside those that it had. */
    synchronized void take(
            LeaseId lease, ReservationId reservation, Collection<ResourceId> resources) {
        held.computeIfAbsent(lease, _ -> new HashMap<>(2))
                .computeIfAbsent(reservation, _ -> new HashSet<>())
                .addAll(resources);
        resources.forEach(
                resource ->
                        holders.compute(
                                resource,
                                (_, its) ->
                                        its == null
                                                ? List.of(reservation)
                                                : with(its, reservation)));
    }

    private static List<ReservationId> with(List<ReservationId> holders, ReservationId another) {
        return holders.contains(another)
                ? holders
                : Stream.concat(holders.stream(), Stream.of(another)).toList();
    }

    private static @Nullable List<ReservationId> without(
            List<ReservationId> holders, ReservationId one) {
        List<ReservationId> left = holders.stream().filter(its -> !its.equals(one)).toList();
        return left.isEmpty() ? null : left;
    }

    /** The reservation has taken up all that it has claimed. */
    synchronized void takeAll(LeaseId lease, ReservationId reservation) {
        List<Claim> claims =
                leases.getOrDefault(lease, Map.of()).getOrDefault(reservation, List.of());
        take(lease, reservation, claims.stream().map(Claim::resource).toList());
    }

    synchronized void letGo(
            LeaseId lease, ReservationId reservation, Collection<ResourceId> resources) {
        Map<ReservationId, Set<ResourceId>> reservations = held.getOrDefault(lease, Map.of());
        Set<ResourceId> its = reservations.getOrDefault(reservation, Set.of());
        for (ResourceId resource : List.copyOf(resources)) {
            if (its.contains(resource)) {
                its.remove(resource);
                holders.computeIfPresent(resource, (_, all) -> without(all, reservation));
            }
        }
        if (reservations.containsKey(reservation) && its.isEmpty()) {
            reservations.remove(reservation);
        }
        if (reservations.isEmpty()) {
            held.remove(lease);
        }
    }

    synchronized void letAllGo(LeaseId lease, ReservationId reservation) {
        letGo(
                lease,
                reservation,
                held.getOrDefault(lease, Map.of()).getOrDefault(reservation, Set.of()));
    }

    synchronized void letAllGo(LeaseId lease) {
        List.copyOf(held.getOrDefault(lease, Map.of()).keySet())
                .forEach(reservation -> letAllGo(lease, reservation));
    }

    @Override
    public int claimsOn(ResourceId resource) {
        return slots(resource).size();
    }

    Slots slots(ResourceId resource) {
        Slots whole = slots.getOrDefault(resource, Slots.NONE);
        Slots parts = shared.get(resource);
        return parts == null ? whole : whole.and(parts);
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
            if (claim.share() == null) {
                slots.compute(
                        claim.resource(),
                        (_, its) -> (its == null ? Slots.NONE : its).with(claim.during()));
            } else {
                List<Claim> others = shares.getOrDefault(claim.resource(), List.of());
                share(claim.resource(), Stream.concat(others.stream(), Stream.of(claim)).toList());
            }
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
            if (claim.share() == null) {
                slots.computeIfPresent(
                        claim.resource(),
                        (_, its) -> {
                            Slots left = its.without(claim.during());
                            return left.size() == 0 ? null : left;
                        });
            } else {
                List<Claim> left =
                        new ArrayList<>(shares.getOrDefault(claim.resource(), List.of()));
                left.remove(claim);
                share(claim.resource(), List.copyOf(left));
            }
        }
    }

    private void share(ResourceId resource, List<Claim> claims) {
        if (claims.isEmpty()) {
            shares.remove(resource);
            shared.remove(resource);
        } else {
            shares.put(resource, claims);
            shared.put(resource, Slots.of(claims.stream().map(Claim::during).toList()));
        }
    }
}
