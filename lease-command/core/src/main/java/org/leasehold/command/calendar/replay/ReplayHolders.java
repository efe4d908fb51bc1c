package org.leasehold.command.calendar.replay;

import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The holders in a {@link ReplayCalendar}. */
final class ReplayHolders implements Holders {

    private final ReplayResources resources;
    private final InMemorySavepoints savepoints;
    private final Map<ResourceId, List<Held>> byResource = new HashMap<>();
    private final Map<ReservationId, Set<ResourceId>> byReservation = new HashMap<>();
    private long lastTenureNumber;

    ReplayHolders(ReplayResources resources, InMemorySavepoints undoing) {
        this.resources = resources;
        this.savepoints = undoing;
    }

    private record Held(Taking taking, boolean shares) {

        ReservationId reservation() {
            return taking.tenure().reservation();
        }

        Hand hand() {
            return new Hand(reservation(), shares);
        }
    }

    /** Returns all resources with a holder. */
    Set<ResourceId> heldResources() {
        return Set.copyOf(byResource.keySet());
    }

    /** Returns the resources with a holder of the whole. */
    Set<ResourceId> heldWhole() {
        return byResource.entrySet().stream()
                .filter(row -> row.getValue().stream().noneMatch(Held::shares))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    boolean isHolder(ReservationId reservation, ResourceId resource) {
        return byReservation.getOrDefault(reservation, Set.of()).contains(resource);
    }

    List<Hand> holdersOf(ResourceId resource) {
        return heldBy(resource).stream().map(Held::hand).toList();
    }

    private List<Held> heldBy(ResourceId resource) {
        return byResource.getOrDefault(resource, List.of());
    }

    @Override
    public List<Tenure> acquire(
            LeaseId lease, Map<ReservationId, List<Allocation>> taken, Instant now) {
        List<Tenure> tenures = new ArrayList<>();
        taken.forEach(
                (reservation, allocations) -> {
                    if (!allocations.isEmpty()) {
                        Tenure tenure = new Tenure(reservation, nextTenureNumber());
                        for (Allocation allocation : allocations) {
                            Taking taking = new Taking(lease, tenure, allocation.resource(), now);
                            if (!addHolder(new Held(taking, allocation.share() != null))) {
                                throw new CalendarContention(
                                        "another reservation holds a resource");
                            }
                        }
                        tenures.add(tenure);
                    }
                });
        return tenures;
    }

    @Override
    public boolean acquire(List<Taking> takings) {
        return takings.stream().allMatch(taking -> addHolder(new Held(taking, false)));
    }

    /** Adds an existing holder. */
    void addExisting(Taking taking, boolean shares) {
        List<Held> before = heldBy(taking.resource());
        List<Held> now = new ArrayList<>(before);
        now.add(new Held(taking, shares));
        writeRows(taking.resource(), before, now);
    }

    /** Adds a holder; a holder keeps its resource. */
    private boolean addHolder(Held held) {
        ResourceId resource = held.taking().resource();
        boolean isTaken =
                heldBy(resource).stream()
                        .filter(other -> !other.reservation().equals(held.reservation()))
                        .anyMatch(other -> !(held.shares() && other.shares()));
        if (!isTaken) {
            List<Held> with = heldByOthers(resource, held.reservation());
            with.add(held);
            replace(resource, with);
        }
        return !isTaken;
    }

    private List<Held> heldByOthers(ResourceId resource, ReservationId than) {
        return heldBy(resource).stream()
                .filter(held -> !held.reservation().equals(than))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private void replace(ResourceId resource, List<Held> now) {
        List<Held> before = heldBy(resource);
        writeRows(resource, before, now);
        savepoints.registerUndo(() -> writeRows(resource, now, before));
    }

    private void writeRows(ResourceId resource, List<Held> before, List<Held> now) {
        for (Held held : before) {
            byReservation.computeIfPresent(
                    held.reservation(),
                    (_, resources) -> {
                        resources.remove(resource);
                        return resources.isEmpty() ? null : resources;
                    });
        }
        for (Held held : now) {
            byReservation.computeIfAbsent(held.reservation(), _ -> new TreeSet<>()).add(resource);
        }
        if (now.isEmpty()) {
            byResource.remove(resource);
        } else {
            byResource.put(resource, now);
        }
    }

    private long nextTenureNumber() {
        lastTenureNumber++;
        return lastTenureNumber;
    }

    @Override
    public List<Long> nextTenureNumbers(int count) {
        return LongStream.range(0, count).mapToObj(_ -> nextTenureNumber()).toList();
    }

    @Override
    public List<Taking> findAll() {
        return byResource.values().stream().flatMap(List::stream).map(Held::taking).toList();
    }

    @Override
    public Map<ResourceId, Condition> lockConditions(Collection<ResourceId> asked) {
        Map<ResourceId, Condition> conditions = new LinkedHashMap<>();
        asked.forEach(id -> conditions.put(id, resources.condition(id, holdersOf(id))));
        return conditions;
    }

    @Override
    public Map<ResourceId, List<Hand>> lockHolders(Collection<ResourceId> asked) {
        Map<ResourceId, List<Hand>> hands = new LinkedHashMap<>();
        asked.stream()
                .filter(byResource::containsKey)
                .forEach(resource -> hands.put(resource, holdersOf(resource)));
        return hands;
    }

    @Override
    public void release(ReservationId reservation, Set<ResourceId> dropped) {
        for (ResourceId id : Set.copyOf(byReservation.getOrDefault(reservation, Set.of()))) {
            if (dropped.isEmpty() || dropped.contains(id)) {
                replace(id, heldByOthers(id, reservation));
            }
        }
    }

    @Override
    public void releaseAll(LeaseId lease) {
        findAll().stream()
                .filter(taking -> taking.lease().equals(lease))
                .map(taking -> taking.tenure().reservation())
                .distinct()
                .forEach(reservation -> release(reservation, Set.of()));
    }

    @Override
    public List<Tenure> renewTenures(Collection<ReservationId> reservations) {
        List<Tenure> tenures = new ArrayList<>();
        for (ReservationId reservation : reservations) {
            Set<ResourceId> held = Set.copyOf(byReservation.getOrDefault(reservation, Set.of()));
            if (!held.isEmpty()) {
                Tenure tenure = new Tenure(reservation, nextTenureNumber());
                held.forEach(resource -> renew(resource, tenure));
                tenures.add(tenure);
            }
        }
        return tenures;
    }

    private void renew(ResourceId resource, Tenure tenure) {
        List<Held> renewed = heldByOthers(resource, tenure.reservation());
        Predicate<Held> isOwn = held -> held.reservation().equals(tenure.reservation());
        heldBy(resource).stream()
                .filter(isOwn)
                .map(held -> new Held(withTenure(held.taking(), tenure), held.shares()))
                .forEach(renewed::add);
        replace(resource, renewed);
    }

    private static Taking withTenure(Taking before, Tenure tenure) {
        return new Taking(before.lease(), tenure, before.resource(), before.since());
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId reservation) {
        return findAll().stream()
                .filter(taking -> taking.tenure().reservation().equals(reservation))
                .map(Taking::lease)
                .findFirst();
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return findAll().stream().anyMatch(taking -> taking.tenure().equals(tenure));
    }
}
