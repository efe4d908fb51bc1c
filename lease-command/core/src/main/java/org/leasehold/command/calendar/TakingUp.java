package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.command.calendar.Holders.Condition;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Carries out {@link TakeUp}: all resources of the request change hands, or none does. */
final class TakingUp {

    private static final int LOOKS = 5;

    private final Inventories inventories;
    private final Claims claims;
    private final Holders holders;
    private final ClaimIndex index;
    private final CalendarGroup group;
    private final Wariness wariness;

    TakingUp(
            Inventories inventories,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            CalendarGroup group,
            Wariness wariness) {
        this.inventories = inventories;
        this.claims = claims;
        this.holders = holders;
        this.index = index;
        this.group = group;
        this.wariness = wariness;
    }

    /**
     * What memory answers: as far as it tells nothing is in the way, and the group takes the
     * resources up, or others are, who have not let go yet, and the lease does not know. Empty if
     * the tables are to be asked.
     */
    Optional<Grant> gather(TakeUp request) {
        if (!group.isGathering()) {
            return Optional.empty();
        }
        List<Unfit> unfit = unfit(request, remembered(request));
        if (unfit.isEmpty()) {
            return Optional.of(new Grant.TakenUp(takeUpInGroup(request), List.of()));
        }
        return !request.waits() && unfit.stream().allMatch(Unfit::isLate)
                ? Optional.of(unmet(unfit))
                : Optional.empty();
    }

    private Map<ResourceId, Condition> remembered(TakeUp request) {
        Inventory inventory = inventories.latest();
        Map<ResourceId, Condition> conditions = new HashMap<>();
        for (ResourceId id : resources(request)) {
            Optional<KnownResource> known = inventory.find(id);
            boolean inService = known.filter(KnownResource::enrolled).isPresent();
            String name = known.map(r -> r.allocation().name()).orElse("");
            conditions.put(id, new Condition(name, inService, null, index.holder(id)));
        }
        return conditions;
    }

    private List<Tenure> takeUpInGroup(TakeUp request) {
        List<Tenure> tenures = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            List<ResourceId> resources =
                    granted.allocations().stream().map(Allocation::resource).toList();
            if (!resources.isEmpty()) {
                tenures.add(
                        group.takeUp(
                                request.lease(),
                                granted.reservation(),
                                resources,
                                granted.period().start()));
            }
        }
        return tenures;
    }

    Grant takeUp(TakeUp request) {
        wariness.looked();
        if (resources(request).isEmpty()) {
            return new Grant.TakenUp(List.of(), List.of());
        }
        Map<ResourceId, Condition> conditions = holders.conditions(resources(request));
        List<Unfit> unfit = unfit(request, conditions);
        if (!unfit.isEmpty() && conditions.values().stream().anyMatch(c -> c.holder() != null)) {
            // Whoever is about to let go either did, or waits until it is known that we wait.
            Map<ResourceId, ReservationId> lasting = holders.lock(resources(request));
            conditions.replaceAll((id, seen) -> seen.heldBy(lasting.get(id)));
            unfit = unfit(request, conditions);
        }
        return unfit.isEmpty() ? finish(request, Map.of(), List.of()) : replace(request, unfit);
    }

    static List<ReservationId> reservations(TakeUp request) {
        return request.reservations().stream().map(Granted::reservation).toList();
    }

    private static List<ResourceId> resources(TakeUp request) {
        return request.reservations().stream()
                .flatMap(granted -> granted.allocations().stream())
                .map(Allocation::resource)
                .toList();
    }

    private static List<Unfit> unfit(TakeUp request, Map<ResourceId, Condition> conditions) {
        List<Unfit> unfit = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            for (Allocation allocation : granted.allocations()) {
                ResourceId resource = allocation.resource();
                Condition condition = Objects.requireNonNull(conditions.get(resource));
                @Nullable ReservationId holder = condition.holder();
                if (!condition.inService()) {
                    unfit.add(new Unfit(granted, resource, condition.outOfService(), null));
                } else if (holder != null && !holder.equals(granted.reservation())) {
                    unfit.add(new Unfit(granted, resource, condition.stillHeld(holder), holder));
                }
            }
        }
        return unfit;
    }

    private Grant replace(TakeUp request, List<Unfit> unfit) {
        // Out of service is worse than late: what is free goes to those first.
        List<Unfit> inNeed =
                unfit.stream().sorted((a, b) -> Boolean.compare(a.isLate(), b.isLate())).toList();
        if (index.isReady() && inNeed.stream().allMatch(Unfit::isLate)) {
            // Whoever waits is woken by the release. When thousands change hands in one second,
            // nothing else is free, and a look at all claims for each of them takes a minute.
            List<List<ResourceId>> known = replacements(inNeed, inventories.latest(), index);
            if (known.stream().anyMatch(List::isEmpty)) {
                return unmet(without(inNeed, known));
            }
        }
        for (int look = 0; look < LOOKS; look++) {
            Inventory inventory = inventories.latest();
            Snapshot snapshot = claims.look(question(inNeed));
            if (snapshot.inventoryVersion() != inventory.version()) {
                inventories.reload();
                continue;
            }
            List<List<ResourceId>> found = replacements(inNeed, inventory, snapshot);
            Map<Unfit, KnownResource> replacements = new LinkedHashMap<>();
            for (int i = 0; i < inNeed.size(); i++) {
                if (found.get(i).isEmpty()) {
                    return unmet(without(inNeed, found));
                }
                replacements.put(
                        inNeed.get(i), inventory.find(found.get(i).getFirst()).orElseThrow());
            }
            return move(request, replacements);
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    private Snapshot.Question question(List<Unfit> inNeed) {
        return new Snapshot.Question(
                inNeed.stream().map(this::window).collect(Collectors.toSet()), true, false);
    }

    private LeasePeriod window(Unfit unfit) {
        return claims.toClaim(unfit.granted().period());
    }

    private List<List<ResourceId>> replacements(
            List<Unfit> inNeed, Inventory inventory, Occupation occupation) {
        // With as many options as there are seekers, one never takes another's last.
        return Allotment.of(
                inNeed.stream()
                        .map(unfit -> seeker(unfit, inventory, occupation, inNeed.size()))
                        .toList());
    }

    private Allotment.Seeker seeker(
            Unfit unfit, Inventory inventory, Occupation occupation, int enough) {
        Demand demand = unfit.granted().demand();
        LeasePeriod window = window(unfit);
        if (isRequired(unfit, demand, inventory)) {
            return new Allotment.Seeker(1, 1, List.of(), List.of());
        }
        return new Allotment.Seeker(
                1,
                1,
                List.of(),
                inventory.matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .filter(id -> occupation.isFree(id, window))
                        .filter(id -> !occupation.isHeld(id))
                        .limit(enough)
                        .toList());
    }

    /** Nothing is as good as what was asked for by name. */
    private static boolean isRequired(Unfit unfit, Demand demand, Inventory inventory) {
        return inventory
                .find(unfit.resource())
                .filter(resource -> demand.required().contains(resource.allocation().name()))
                .isPresent();
    }

    /** Those for whom nothing was found. */
    private static List<Unfit> without(List<Unfit> inNeed, List<List<ResourceId>> found) {
        return IntStream.range(0, inNeed.size())
                .filter(i -> found.get(i).isEmpty())
                .mapToObj(inNeed::get)
                .toList();
    }

    private static Grant unmet(List<Unfit> needs) {
        Set<ReservationId> holders = new LinkedHashSet<>();
        for (Unfit unfit : needs) {
            @Nullable ReservationId holder = unfit.holder();
            if (holder == null) {
                return new Grant.Unserviceable(unfit.granted().reservation(), unfit.reason());
            }
            holders.add(holder);
        }
        return new Grant.Awaited(
                List.copyOf(holders),
                needs.stream().map(Unfit::reason).collect(Collectors.joining("; ")));
    }

    /** The claim on what cannot serve becomes a claim on what can. */
    private Grant move(TakeUp request, Map<Unfit, KnownResource> replacements) {
        List<Offer> offers = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            List<KnownResource> joining = new ArrayList<>();
            List<ResourceId> leaving = new ArrayList<>();
            replacements.forEach(
                    (unfit, replacement) -> {
                        if (unfit.granted().equals(granted)) {
                            leaving.add(unfit.resource());
                            joining.add(replacement);
                        }
                    });
            if (!joining.isEmpty()) {
                claims.drop(granted.reservation(), leaving);
                offers.add(
                        new Offer(
                                request.lease(),
                                request.project(),
                                granted.reservation(),
                                claims.toClaim(granted.period()),
                                joining,
                                Set.of(),
                                granted.demand().requirement().properties()));
            }
        }
        Map<ReservationId, Set<ResourceId>> claimed = claims.claim(offers);
        if (claimed.values().stream().mapToInt(Set::size).sum() < replacements.size()) {
            throw new CalendarContention("somebody else took the replacement");
        }
        Map<ResourceId, ResourceId> moved = new LinkedHashMap<>();
        List<Replacement> told = new ArrayList<>();
        replacements.forEach(
                (unfit, by) -> {
                    moved.put(unfit.resource(), by.id());
                    told.add(
                            new Replacement(
                                    unfit.granted().reservation(),
                                    unfit.resource(),
                                    by.allocation(),
                                    unfit.reason()));
                });
        return finish(request, moved, told);
    }

    private Grant finish(
            TakeUp request, Map<ResourceId, ResourceId> moved, List<Replacement> replacements) {
        Map<ReservationId, List<ResourceId>> taken = new LinkedHashMap<>();
        Instant now = Instant.MAX;
        for (Granted granted : request.reservations()) {
            taken.put(
                    granted.reservation(),
                    granted.allocations().stream()
                            .map(Allocation::resource)
                            .map(id -> moved.getOrDefault(id, id))
                            .toList());
            now = granted.period().start();
        }
        return new Grant.TakenUp(holders.takeUp(request.lease(), taken, now), replacements);
    }

    /**
     * A granted resource that cannot be taken up.
     *
     * @param holder who has it; null when it is out of service
     */
    private record Unfit(
            Granted granted, ResourceId resource, String reason, @Nullable ReservationId holder) {

        boolean isLate() {
            return holder != null;
        }
    }
}
