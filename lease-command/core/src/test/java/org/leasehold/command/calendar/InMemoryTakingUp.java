package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.command.calendar.InMemoryTables.Held;
import org.leasehold.command.calendar.InMemoryTables.Listed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Carries out {@link TakeUp} on the tables in memory. */
final class InMemoryTakingUp {

    private final InMemoryTables tables;
    private final InMemoryHolding holding;

    InMemoryTakingUp(InMemoryTables tables, InMemoryHolding holding) {
        this.tables = tables;
        this.holding = holding;
    }

    /**
     * A granted resource that cannot be taken up.
     *
     * @param holder who has it; null when it is out of service
     */
    private record Unfit(
            Granted granted, ResourceId resource, String reason, @Nullable ReservationId holder) {}

    Grant takeUp(TakeUp request) {
        if (request.reservations().stream().allMatch(g -> g.allocations().isEmpty())) {
            return new Grant.TakenUp(List.of(), List.of());
        }
        List<Unfit> unfit = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            for (Allocation allocation : granted.allocations()) {
                unfit(granted, allocation).ifPresent(unfit::add);
            }
        }
        return unfit.isEmpty() ? finish(request, Map.of()) : replace(request, unfit);
    }

    private Optional<Unfit> unfit(Granted granted, Allocation allocation) {
        ResourceId id = allocation.resource();
        Listed listed = Objects.requireNonNull(tables.resources().get(id));
        if (!listed.enrolled()) {
            return Optional.of(
                    new Unfit(
                            granted,
                            id,
                            allocation.name() + " is out of service: " + listed.disabledReason(),
                            null));
        }
        return tables.holderOf(id)
                .map(Held::reservation)
                .filter(holder -> !holder.equals(granted.reservation()))
                .map(
                        holder ->
                                new Unfit(
                                        granted,
                                        id,
                                        allocation.name()
                                                + " is still in the hands of reservation "
                                                + holder,
                                        holder));
    }

    private Grant replace(TakeUp request, List<Unfit> unfit) {
        // Out of service is worse than late: what is free goes to those first.
        List<Unfit> inNeed =
                unfit.stream().sorted(Comparator.comparing(u -> u.holder() != null)).toList();
        List<List<ResourceId>> found =
                Allotment.of(
                        inNeed.stream()
                                .map(u -> new Allotment.Seeker(1, 1, List.of(), replacements(u)))
                                .toList());
        Set<ReservationId> holders = new LinkedHashSet<>();
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < inNeed.size(); i++) {
            Unfit one = inNeed.get(i);
            if (found.get(i).isEmpty()) {
                ReservationId holder = one.holder();
                if (holder == null) {
                    return new Grant.Unserviceable(one.granted().reservation(), one.reason());
                }
                holders.add(holder);
                reasons.add(one.reason());
            }
        }
        if (!holders.isEmpty()) {
            return new Grant.Awaited(List.copyOf(holders), String.join("; ", reasons));
        }
        Map<Unfit, Listed> moves = new LinkedHashMap<>();
        for (int i = 0; i < inNeed.size(); i++) {
            ResourceId by = found.get(i).getFirst();
            moves.put(inNeed.get(i), Objects.requireNonNull(tables.resources().get(by)));
        }
        moves.forEach((from, to) -> move(request, from, to));
        return finish(request, moves);
    }

    private List<ResourceId> replacements(Unfit unfit) {
        LeasePeriod window = holding.toClaim(unfit.granted().period());
        return holding.matching(unfit.granted().demand())
                .map(Listed::id)
                .filter(id -> holding.isFree(id, window))
                .filter(id -> tables.holderOf(id).isEmpty())
                .toList();
    }

    private void move(TakeUp request, Unfit from, Listed to) {
        Granted granted = from.granted();
        holding.drop(granted.reservation(), from.resource());
        holding.claim(
                request.lease(),
                granted.reservation(),
                granted.demand(),
                holding.toClaim(granted.period()),
                to,
                false);
    }

    private Grant finish(TakeUp request, Map<Unfit, Listed> moves) {
        List<Replacement> told = new ArrayList<>();
        Map<ResourceId, ResourceId> moved = new LinkedHashMap<>();
        moves.forEach(
                (from, to) -> {
                    moved.put(from.resource(), to.id());
                    told.add(
                            new Replacement(
                                    from.granted().reservation(),
                                    from.resource(),
                                    to.allocation(),
                                    from.reason()));
                });
        List<Tenure> tenures = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            Set<ResourceId> taken = new HashSet<>();
            granted.allocations()
                    .forEach(a -> taken.add(moved.getOrDefault(a.resource(), a.resource())));
            Instant now = granted.period().start();
            tenures.add(holding.takeUp(request.lease(), granted.reservation(), taken, now));
        }
        return new Grant.TakenUp(tenures, told);
    }
}
