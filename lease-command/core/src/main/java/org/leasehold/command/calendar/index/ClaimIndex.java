package org.leasehold.command.calendar.index;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.claim.ResourceOccupancy;
import org.leasehold.command.calendar.timeline.ClaimedTimes;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

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
 * The claims and holders in the memory of this node. They may be outdated: a resource that is free
 * here is free only if the database agrees. A claimed one is a reason for a refusal only if the
 * index is as new as the event log, which {@code RefusalConfirmation} checks.
 *
 * <p>Reading never waits. While a lease changes, a reader may see some of its claims as before.
 */
public final class ClaimIndex implements ResourceOccupancy {

    private final Map<ResourceId, ClaimedTimes> wholeTimes = new ConcurrentHashMap<>();

    /** The times in which resources are shared; few are. */
    private final Map<ResourceId, ClaimedTimes> sharedTimes = new ConcurrentHashMap<>();

    /** Claims on parts of resources. Each list is immutable, for readers that do not wait. */
    private final Map<ResourceId, List<Claim>> shareClaims = new ConcurrentHashMap<>();

    private final Map<LeaseId, Map<ReservationId, List<Claim>>> claimsByLease = new HashMap<>();
    private final Map<ResourceId, List<ReservationId>> holders = new ConcurrentHashMap<>();
    private final Map<LeaseId, Map<ReservationId, Set<ResourceId>>> heldByLease = new HashMap<>();
    private volatile boolean ready;

    /** False if the index must be cleared before it can be complete. */
    private boolean valid = true;

    /** Returns false until all claims are known: an earlier reader would see too much free time. */
    public boolean isReady() {
        return ready;
    }

    /** Clears the index, and begins to fill it again. */
    public synchronized void clear() {
        ready = false;
        valid = true;
        claimsByLease.clear();
        wholeTimes.clear();
        sharedTimes.clear();
        shareClaims.clear();
        holders.clear();
        heldByLease.clear();
    }

    /** Marks the index as complete, unless it became invalid while it was filled. */
    public synchronized void markComplete() {
        ready = valid;
    }

    /**
     * Marks the index as incomplete until it is cleared and filled again: it may have claims that
     * the database does not have, or lack some.
     */
    public synchronized void invalidate() {
        valid = false;
        ready = false;
    }

    @Override
    public boolean isFree(ResourceId resource, LeasePeriod window) {
        ClaimedTimes whole = wholeTimes.get(resource);
        if (whole != null && !whole.isFree(window)) {
            return false;
        }
        ClaimedTimes parts = sharedTimes.isEmpty() ? null : sharedTimes.get(resource);
        return parts == null || parts.isFree(window);
    }

    @Override
    public boolean isHeld(ResourceId resource) {
        return holders.containsKey(resource);
    }

    /**
     * Returns the claims on parts of a resource, and one claim on the whole for each window in
     * which the whole is claimed at some time.
     */
    public List<Claim> claims(ResourceId resource, Collection<LeasePeriod> windows) {
        List<Claim> parts = shareClaims(resource);
        ClaimedTimes whole = wholeTimes.getOrDefault(resource, ClaimedTimes.NONE);
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

    /** Returns the claims on parts of a resource. */
    public List<Claim> shareClaims(ResourceId resource) {
        return shareClaims.getOrDefault(resource, List.of());
    }

    /** Returns the claims on some resources that touch a window. */
    public List<Claim> findTouching(Collection<ResourceId> resources, LeasePeriod window) {
        List<Claim> found = new ArrayList<>();
        for (ResourceId resource : resources) {
            wholeTimes
                    .getOrDefault(resource, ClaimedTimes.NONE)
                    .forEachTouching(window, claimed -> found.add(new Claim(resource, claimed)));
            shareClaims(resource).stream()
                    .filter(claim -> claim.during().overlaps(window))
                    .forEach(found::add);
        }
        return found;
    }

    /** Returns the holders of the resource: none, one that has it whole, or all that share it. */
    public List<ReservationId> holders(ResourceId resource) {
        return holders.getOrDefault(resource, List.of());
    }

    /** Makes the reservation the holder of these resources, in addition to those that it had. */
    public synchronized void addHolder(
            LeaseId lease, ReservationId reservation, Collection<ResourceId> resources) {
        heldByLease
                .computeIfAbsent(lease, _ -> new HashMap<>(2))
                .computeIfAbsent(reservation, _ -> new HashSet<>())
                .addAll(resources);
        resources.forEach(
                resource ->
                        holders.compute(
                                resource,
                                (_, current) ->
                                        current == null
                                                ? List.of(reservation)
                                                : with(current, reservation)));
    }

    private static List<ReservationId> with(List<ReservationId> holders, ReservationId another) {
        return holders.contains(another)
                ? holders
                : Stream.concat(holders.stream(), Stream.of(another)).toList();
    }

    private static @Nullable List<ReservationId> without(
            List<ReservationId> holders, ReservationId one) {
        List<ReservationId> left = holders.stream().filter(holder -> !holder.equals(one)).toList();
        return left.isEmpty() ? null : left;
    }

    /** Makes the reservation the holder of all resources that it has claimed. */
    synchronized void addHolderOfClaims(LeaseId lease, ReservationId reservation) {
        List<Claim> claims =
                claimsByLease.getOrDefault(lease, Map.of()).getOrDefault(reservation, List.of());
        addHolder(lease, reservation, claims.stream().map(Claim::resource).toList());
    }

    public synchronized void removeHolder(
            LeaseId lease, ReservationId reservation, Collection<ResourceId> resources) {
        Map<ReservationId, Set<ResourceId>> reservations =
                heldByLease.getOrDefault(lease, Map.of());
        Set<ResourceId> held = reservations.getOrDefault(reservation, Set.of());
        for (ResourceId resource : List.copyOf(resources)) {
            if (held.contains(resource)) {
                held.remove(resource);
                holders.computeIfPresent(resource, (_, all) -> without(all, reservation));
            }
        }
        if (reservations.containsKey(reservation) && held.isEmpty()) {
            reservations.remove(reservation);
        }
        if (reservations.isEmpty()) {
            heldByLease.remove(lease);
        }
    }

    synchronized void removeHolders(LeaseId lease, ReservationId reservation) {
        removeHolder(
                lease,
                reservation,
                heldByLease.getOrDefault(lease, Map.of()).getOrDefault(reservation, Set.of()));
    }

    synchronized void removeHolders(LeaseId lease) {
        List.copyOf(heldByLease.getOrDefault(lease, Map.of()).keySet())
                .forEach(reservation -> removeHolders(lease, reservation));
    }

    @Override
    public int claimsOn(ResourceId resource) {
        return slots(resource).size();
    }

    public ClaimedTimes slots(ResourceId resource) {
        ClaimedTimes whole = wholeTimes.getOrDefault(resource, ClaimedTimes.NONE);
        ClaimedTimes parts = sharedTimes.isEmpty() ? null : sharedTimes.get(resource);
        return parts == null ? whole : whole.union(parts);
    }

    /** Replaces all claims of the reservation. */
    public synchronized void replaceClaims(
            LeaseId lease, ReservationId reservation, Collection<Claim> claims) {
        Map<ReservationId, List<Claim>> reservations =
                claimsByLease.computeIfAbsent(lease, _ -> new HashMap<>(2));
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
                wholeTimes.compute(
                        claim.resource(),
                        (_, times) ->
                                (times == null ? ClaimedTimes.NONE : times).with(claim.during()));
            } else {
                List<Claim> others = shareClaims(claim.resource());
                updateShares(
                        claim.resource(),
                        Stream.concat(others.stream(), Stream.of(claim)).toList());
            }
        }
        if (reservations.isEmpty()) {
            claimsByLease.remove(lease);
        }
    }

    /** Replaces all claims of the lease. */
    synchronized void replaceClaims(LeaseId lease, Map<ReservationId, List<Claim>> claims) {
        for (ReservationId known :
                List.copyOf(claimsByLease.getOrDefault(lease, Map.of()).keySet())) {
            replaceClaims(lease, known, claims.getOrDefault(known, List.of()));
        }
        claims.forEach(
                (reservation, ofReservation) -> replaceClaims(lease, reservation, ofReservation));
    }

    /** Removes the claims that were over by then. */
    synchronized void removeEndedBefore(Instant instant) {
        claimsByLease
                .values()
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
                wholeTimes.computeIfPresent(
                        claim.resource(),
                        (_, times) -> {
                            ClaimedTimes left = times.without(claim.during());
                            return left.size() == 0 ? null : left;
                        });
            } else {
                List<Claim> left = new ArrayList<>(shareClaims(claim.resource()));
                left.remove(claim);
                updateShares(claim.resource(), List.copyOf(left));
            }
        }
    }

    private void updateShares(ResourceId resource, List<Claim> claims) {
        if (claims.isEmpty()) {
            shareClaims.remove(resource);
            sharedTimes.remove(resource);
        } else {
            shareClaims.put(resource, claims);
            sharedTimes.put(resource, ClaimedTimes.of(claims.stream().map(Claim::during).toList()));
        }
    }
}
