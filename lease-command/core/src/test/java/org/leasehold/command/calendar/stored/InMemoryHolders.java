package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.stored.InMemoryTables.Held;
import org.leasehold.command.calendar.stored.InMemoryTables.Listed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** The holders of {@link InMemoryTables}. */
final class InMemoryHolders implements Holders {

    private final InMemoryTables tables;

    InMemoryHolders(InMemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public List<Tenure> acquire(
            LeaseId lease, Map<ReservationId, List<Allocation>> taken, Instant now) {
        List<Tenure> tenures = new ArrayList<>();
        taken.forEach(
                (reservation, allocations) -> {
                    if (!allocations.isEmpty()) {
                        Tenure tenure = new Tenure(reservation, tables.nextGeneration());
                        for (Allocation allocation : allocations) {
                            if (!hold(
                                    new Taking(lease, tenure, allocation.resource(), now),
                                    allocation.share() != null)) {
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
        return takings.stream()
                .allMatch(taking -> isInService(taking.resource()) && hold(taking, false));
    }

    private boolean isInService(ResourceId resource) {
        Listed listed = tables.resources().get(resource);
        return listed != null && listed.enrolled();
    }

    /** Adds a holder, unless another reservation has the resource; returns true if it did. */
    private boolean hold(Taking taking, boolean shares) {
        ReservationId reservation = taking.tenure().reservation();
        if (tables.heldBy(taking.resource()).stream()
                .filter(held -> !held.reservation().equals(reservation))
                .anyMatch(held -> !(shares && held.shares()))) {
            return false;
        }
        @Nullable Held before = tables.held(taking.resource(), reservation).orElse(null);
        tables.hold(
                taking.resource(),
                new Held(
                        reservation,
                        taking.lease(),
                        taking.tenure().generation(),
                        before == null ? taking.since() : before.since(),
                        shares));
        return true;
    }

    @Override
    public List<Long> nextTenureNumbers(int count) {
        return LongStream.range(0, count).mapToObj(_ -> tables.nextGeneration()).toList();
    }

    @Override
    public List<Taking> findAll() {
        List<Taking> all = new ArrayList<>();
        tables.holders()
                .forEach(
                        (resource, hands) ->
                                hands.forEach(
                                        held ->
                                                all.add(
                                                        new Taking(
                                                                held.lease(),
                                                                new Tenure(
                                                                        held.reservation(),
                                                                        held.generation()),
                                                                resource,
                                                                held.since()))));
        return all;
    }

    @Override
    public Map<ResourceId, Condition> lockConditions(Collection<ResourceId> resources) {
        Map<ResourceId, Condition> conditions = new LinkedHashMap<>();
        for (ResourceId resource : resources.stream().sorted().toList()) {
            Listed listed = Objects.requireNonNull(tables.resources().get(resource));
            conditions.put(
                    resource,
                    new Condition(
                            listed.allocation().name(),
                            listed.enrolled(),
                            listed.disabledReason(),
                            hands(resource)));
        }
        return conditions;
    }

    private List<Hand> hands(ResourceId resource) {
        return tables.heldBy(resource).stream()
                .map(held -> new Hand(held.reservation(), held.shares()))
                .toList();
    }

    @Override
    public Map<ResourceId, List<Hand>> lockHolders(Collection<ResourceId> resources) {
        Map<ResourceId, List<Hand>> hands = new LinkedHashMap<>();
        resources.stream()
                .distinct()
                .sorted()
                .filter(id -> !hands(id).isEmpty())
                .forEach(id -> hands.put(id, hands(id)));
        return hands;
    }

    @Override
    public void release(ReservationId reservation, Set<ResourceId> resources) {
        heldBy(held -> held.reservation().equals(reservation)).stream()
                .filter(id -> resources.isEmpty() || resources.contains(id))
                .forEach(id -> tables.letGo(id, reservation));
    }

    @Override
    public void releaseAll(LeaseId lease) {
        for (ResourceId id : heldBy(held -> held.lease().equals(lease))) {
            tables.heldBy(id).stream()
                    .filter(held -> held.lease().equals(lease))
                    .forEach(held -> tables.letGo(id, held.reservation()));
        }
    }

    private List<ResourceId> heldBy(Predicate<Held> condition) {
        return tables.holders().entrySet().stream()
                .filter(row -> row.getValue().stream().anyMatch(condition))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public List<Tenure> renewTenures(Collection<ReservationId> reservations) {
        List<Tenure> tenures = new ArrayList<>();
        for (ReservationId reservation : reservations) {
            List<ResourceId> resources = heldBy(held -> held.reservation().equals(reservation));
            if (!resources.isEmpty()) {
                Tenure tenure = new Tenure(reservation, tables.nextGeneration());
                resources.forEach(id -> tables.hold(id, renewed(id, tenure)));
                tenures.add(tenure);
            }
        }
        return tenures;
    }

    private Held renewed(ResourceId resource, Tenure tenure) {
        Held before = tables.held(resource, tenure.reservation()).orElseThrow();
        return new Held(
                before.reservation(),
                before.lease(),
                tenure.generation(),
                before.since(),
                before.shares());
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
        return !heldBy(
                        held ->
                                held.reservation().equals(tenure.reservation())
                                        && held.generation() == tenure.generation())
                .isEmpty();
    }
}
