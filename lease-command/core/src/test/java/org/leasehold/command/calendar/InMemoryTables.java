package org.leasehold.command.calendar;

import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Resources, claims and holders for a single thread. What is written in a unit of work is taken
 * back when that is rolled back.
 */
public class InMemoryTables {

    private final SortedMap<ResourceId, Listed> resources = new TreeMap<>();
    private final SortedMap<ResourceId, List<Claimed>> claims = new TreeMap<>();
    private final SortedMap<ResourceId, Held> holders = new TreeMap<>();
    private long generations;

    /**
     * A resource that is not retired.
     *
     * @param disabledReason null while it is in service
     * @param version another one after each change
     */
    public record Listed(
            ResourceKind kind,
            Allocation allocation,
            @Nullable String disabledReason,
            long version) {

        boolean enrolled() {
            return disabledReason == null;
        }

        ResourceId id() {
            return allocation.resource();
        }
    }

    /** A promise: the planned window plus cleaning. */
    public record Claimed(
            ResourceId resource,
            ReservationId reservation,
            LeaseId lease,
            LeasePeriod during,
            Duration cleaning,
            Set<String> reliesOn) {

        Claimed lasting(LeasePeriod other, Duration otherCleaning) {
            return new Claimed(resource, reservation, lease, other, otherCleaning, reliesOn);
        }
    }

    /** Who has a resource in his hands. */
    public record Held(ReservationId reservation, LeaseId lease, long generation, Instant since) {}

    public SortedMap<ResourceId, Listed> resources() {
        return Collections.unmodifiableSortedMap(resources);
    }

    public SortedMap<ResourceId, List<Claimed>> claims() {
        return Collections.unmodifiableSortedMap(claims);
    }

    public SortedMap<ResourceId, Held> holders() {
        return Collections.unmodifiableSortedMap(holders);
    }

    /** Adds the resource, or replaces what was known of it. */
    public void list(Listed resource) {
        put(resources, resource.id(), resource);
    }

    public void unlist(ResourceId resource) {
        put(resources, resource, null);
    }

    /** Forgets claims that are over, as the engine's housekeeping does. */
    public void forgetClaimsBefore(Instant instant) {
        for (ResourceId resource : List.copyOf(claims.keySet())) {
            replaceClaims(
                    resource,
                    claimsOn(resource).filter(c -> c.during().end().isAfter(instant)).toList());
        }
    }

    Stream<Claimed> claimsOn(ResourceId resource) {
        return claims.getOrDefault(resource, List.of()).stream();
    }

    Stream<Claimed> allClaims() {
        return claims.values().stream().flatMap(List::stream);
    }

    /** Whether the exclusion constraint keeps the two apart. */
    protected boolean exclude(Claimed one, Claimed other) {
        return one.during().overlaps(other.during());
    }

    /** False if the constraint forbids it. */
    boolean claim(Claimed claim) {
        if (claimsOn(claim.resource()).anyMatch(other -> exclude(claim, other))) {
            return false;
        }
        replaceClaims(
                claim.resource(),
                Stream.concat(claimsOn(claim.resource()), Stream.of(claim)).toList());
        return true;
    }

    void replaceClaims(ResourceId resource, List<Claimed> now) {
        put(claims, resource, now.isEmpty() ? null : now);
    }

    Optional<Held> holderOf(ResourceId resource) {
        return Optional.ofNullable(holders.get(resource));
    }

    void hold(ResourceId resource, Held holder) {
        put(holders, resource, holder);
    }

    void letGo(ResourceId resource) {
        put(holders, resource, null);
    }

    /** As a sequence of the database: never taken back. */
    long nextGeneration() {
        generations++;
        return generations;
    }

    /** A point in the current unit of work that can be gone back to. */
    int savepoint() {
        return written().size();
    }

    void backTo(int savepoint) {
        Deque<Runnable> written = written();
        while (written.size() > savepoint) {
            written.pop().run();
        }
    }

    private <V> void put(Map<ResourceId, V> table, ResourceId key, @Nullable V value) {
        V before = value == null ? table.remove(key) : table.put(key, value);
        written()
                .push(
                        () -> {
                            if (before == null) {
                                table.remove(key);
                            } else {
                                table.put(key, before);
                            }
                        });
    }

    private Deque<Runnable> written() {
        if (!CurrentUnitOfWork.isStarted()) {
            return new ArrayDeque<>();
        }
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        return unit.getOrComputeResource(
                InMemoryTables.class.getName(),
                _ -> {
                    Deque<Runnable> written = new ArrayDeque<>();
                    unit.onRollback(_ -> written.forEach(Runnable::run));
                    return written;
                });
    }
}
