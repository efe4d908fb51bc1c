package org.leasehold.command.calendar;

import org.leasehold.command.calendar.InMemoryTables.Held;
import org.leasehold.command.calendar.InMemoryTables.Listed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    public List<Tenure> takeUp(
            LeaseId lease, Map<ReservationId, List<ResourceId>> taken, Instant now) {
        List<Tenure> tenures = new ArrayList<>();
        taken.forEach(
                (reservation, resources) -> {
                    if (!resources.isEmpty()) {
                        Tenure tenure = new Tenure(reservation, tables.nextGeneration());
                        for (ResourceId resource : resources) {
                            if (!hold(new Taking(lease, tenure, resource, now))) {
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
        return takings.stream().allMatch(taking -> isInService(taking.resource()) && hold(taking));
    }

    private boolean isInService(ResourceId resource) {
        Listed listed = tables.resources().get(resource);
        return listed != null && listed.enrolled();
    }

    /** Whoever has a resource keeps it. */
    private boolean hold(Taking taking) {
        ReservationId reservation = taking.tenure().reservation();
        Held before = tables.holders().get(taking.resource());
        if (before != null && !before.reservation().equals(reservation)) {
            return false;
        }
        tables.hold(
                taking.resource(),
                new Held(
                        reservation,
                        taking.lease(),
                        taking.tenure().generation(),
                        before == null ? taking.since() : before.since()));
        return true;
    }

    @Override
    public List<Long> generations(int count) {
        return LongStream.range(0, count).mapToObj(_ -> tables.nextGeneration()).toList();
    }

    @Override
    public List<Taking> all() {
        return tables.holders().entrySet().stream()
                .map(
                        row ->
                                new Taking(
                                        row.getValue().lease(),
                                        new Tenure(
                                                row.getValue().reservation(),
                                                row.getValue().generation()),
                                        row.getKey(),
                                        row.getValue().since()))
                .toList();
    }

    @Override
    public Map<ResourceId, Condition> conditions(Collection<ResourceId> resources) {
        Map<ResourceId, Condition> conditions = new LinkedHashMap<>();
        for (ResourceId resource : resources.stream().sorted().toList()) {
            Listed listed = Objects.requireNonNull(tables.resources().get(resource));
            Held holder = tables.holders().get(resource);
            conditions.put(
                    resource,
                    new Condition(
                            listed.allocation().name(),
                            listed.enrolled(),
                            listed.disabledReason(),
                            holder == null ? null : holder.reservation()));
        }
        return conditions;
    }

    @Override
    public Map<ResourceId, ReservationId> lock(Collection<ResourceId> resources) {
        Map<ResourceId, ReservationId> holders = new LinkedHashMap<>();
        resources.stream()
                .sorted()
                .forEach(
                        id ->
                                tables.holderOf(id)
                                        .ifPresent(held -> holders.put(id, held.reservation())));
        return holders;
    }

    @Override
    public void letGo(ReservationId reservation, Set<ResourceId> resources) {
        heldBy(held -> held.reservation().equals(reservation)).stream()
                .filter(id -> resources.isEmpty() || resources.contains(id))
                .forEach(tables::letGo);
    }

    @Override
    public void letAllGo(LeaseId lease) {
        heldBy(held -> held.lease().equals(lease)).forEach(tables::letGo);
    }

    private List<ResourceId> heldBy(Predicate<Held> condition) {
        return tables.holders().entrySet().stream()
                .filter(row -> condition.test(row.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public List<Tenure> renew(Collection<ReservationId> reservations) {
        List<Tenure> tenures = new ArrayList<>();
        for (ReservationId reservation : reservations) {
            List<ResourceId> its = heldBy(held -> held.reservation().equals(reservation));
            if (!its.isEmpty()) {
                Tenure tenure = new Tenure(reservation, tables.nextGeneration());
                its.forEach(id -> tables.hold(id, renewed(id, tenure)));
                tenures.add(tenure);
            }
        }
        return tenures;
    }

    private Held renewed(ResourceId resource, Tenure tenure) {
        Held before = tables.holderOf(resource).orElseThrow();
        return new Held(before.reservation(), before.lease(), tenure.generation(), before.since());
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
