package org.leasehold.command.calendar;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

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

/** Who has what in a {@link PaperCalendar}. */
final class PaperHolders implements Holders {

    private final PaperResources resources;
    private final Undoing undoing;
    private final Map<ResourceId, List<Held>> byResource = new HashMap<>();
    private final Map<ReservationId, Set<ResourceId>> byReservation = new HashMap<>();
    private long generations;

    PaperHolders(PaperResources resources, Undoing undoing) {
        this.resources = resources;
        this.undoing = undoing;
    }

    private record Held(Taking taking, boolean shares) {

        ReservationId reservation() {
            return taking.tenure().reservation();
        }

        Hand hand() {
            return new Hand(reservation(), shares);
        }
    }

    /** What is in anybody's hands. */
    Set<ResourceId> held() {
        return Set.copyOf(byResource.keySet());
    }

    /** What is in the hands of one alone. */
    Set<ResourceId> heldWhole() {
        return byResource.entrySet().stream()
                .filter(row -> row.getValue().stream().noneMatch(Held::shares))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    boolean has(ReservationId reservation, ResourceId resource) {
        return byReservation.getOrDefault(reservation, Set.of()).contains(resource);
    }

    List<Hand> hands(ResourceId resource) {
        return heldBy(resource).stream().map(Held::hand).toList();
    }

    private List<Held> heldBy(ResourceId resource) {
        return byResource.getOrDefault(resource, List.of());
    }

    @Override
    public List<Tenure> takeUp(
            LeaseId lease, Map<ReservationId, List<Allocation>> taken, Instant now) {
        List<Tenure> tenures = new ArrayList<>();
        taken.forEach(
                (reservation, allocations) -> {
                    if (!allocations.isEmpty()) {
                        Tenure tenure = new Tenure(reservation, next());
                        for (Allocation its : allocations) {
                            Taking taking = new Taking(lease, tenure, its.resource(), now);
                            if (!hold(new Held(taking, its.share() != null))) {
                                throw new CalendarContention(
                                        "a resource was taken up by somebody else");
                            }
                        }
                        tenures.add(tenure);
                    }
                });
        return tenures;
    }

    @Override
    public boolean takeUp(List<Taking> takings) {
        return takings.stream().allMatch(taking -> hold(new Held(taking, false)));
    }

    /** What is in somebody's hands already. */
    void keep(Taking taking, boolean shares) {
        List<Held> before = heldBy(taking.resource());
        List<Held> now = new ArrayList<>(before);
        now.add(new Held(taking, shares));
        write(taking.resource(), before, now);
    }

    /** Whoever has a resource keeps it. */
    private boolean hold(Held held) {
        ResourceId resource = held.taking().resource();
        boolean isTaken =
                heldBy(resource).stream()
                        .filter(other -> !other.reservation().equals(held.reservation()))
                        .anyMatch(other -> !(held.shares() && other.shares()));
        if (!isTaken) {
            List<Held> with = others(resource, held.reservation());
            with.add(held);
            put(resource, with);
        }
        return !isTaken;
    }

    private List<Held> others(ResourceId resource, ReservationId than) {
        return heldBy(resource).stream()
                .filter(held -> !held.reservation().equals(than))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private void put(ResourceId resource, List<Held> now) {
        List<Held> before = heldBy(resource);
        write(resource, before, now);
        undoing.by(() -> write(resource, now, before));
    }

    private void write(ResourceId resource, List<Held> before, List<Held> now) {
        for (Held held : before) {
            byReservation.computeIfPresent(
                    held.reservation(),
                    (_, its) -> {
                        its.remove(resource);
                        return its.isEmpty() ? null : its;
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

    private long next() {
        generations++;
        return generations;
    }

    @Override
    public List<Long> generations(int count) {
        return LongStream.range(0, count).mapToObj(_ -> next()).toList();
    }

    @Override
    public List<Taking> all() {
        return byResource.values().stream().flatMap(List::stream).map(Held::taking).toList();
    }

    @Override
    public Map<ResourceId, Condition> conditions(Collection<ResourceId> asked) {
        Map<ResourceId, Condition> conditions = new LinkedHashMap<>();
        asked.forEach(id -> conditions.put(id, resources.condition(id, hands(id))));
        return conditions;
    }

    @Override
    public Map<ResourceId, List<Hand>> lock(Collection<ResourceId> asked) {
        Map<ResourceId, List<Hand>> hands = new LinkedHashMap<>();
        asked.stream()
                .filter(byResource::containsKey)
                .forEach(resource -> hands.put(resource, hands(resource)));
        return hands;
    }

    @Override
    public void letGo(ReservationId reservation, Set<ResourceId> dropped) {
        for (ResourceId id : Set.copyOf(byReservation.getOrDefault(reservation, Set.of()))) {
            if (dropped.isEmpty() || dropped.contains(id)) {
                put(id, others(id, reservation));
            }
        }
    }

    @Override
    public void letAllGo(LeaseId lease) {
        all().stream()
                .filter(taking -> taking.lease().equals(lease))
                .map(taking -> taking.tenure().reservation())
                .distinct()
                .forEach(reservation -> letGo(reservation, Set.of()));
    }

    @Override
    public List<Tenure> renew(Collection<ReservationId> reservations) {
        List<Tenure> tenures = new ArrayList<>();
        for (ReservationId reservation : reservations) {
            Set<ResourceId> its = Set.copyOf(byReservation.getOrDefault(reservation, Set.of()));
            if (!its.isEmpty()) {
                Tenure tenure = new Tenure(reservation, next());
                its.forEach(resource -> renew(resource, tenure));
                tenures.add(tenure);
            }
        }
        return tenures;
    }

    private void renew(ResourceId resource, Tenure tenure) {
        List<Held> renewed = others(resource, tenure.reservation());
        Predicate<Held> isIts = held -> held.reservation().equals(tenure.reservation());
        heldBy(resource).stream()
                .filter(isIts)
                .map(held -> new Held(renewed(held.taking(), tenure), held.shares()))
                .forEach(renewed::add);
        put(resource, renewed);
    }

    private static Taking renewed(Taking before, Tenure tenure) {
        return new Taking(before.lease(), tenure, before.resource(), before.since());
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId reservation) {
        return all().stream()
                .filter(taking -> taking.tenure().reservation().equals(reservation))
                .map(Taking::lease)
                .findFirst();
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return all().stream().anyMatch(taking -> taking.tenure().equals(tenure));
    }
}
