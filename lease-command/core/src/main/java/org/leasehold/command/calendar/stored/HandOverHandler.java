package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.ClaimInsertion;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.Holders.Condition;
import org.leasehold.command.calendar.claim.Holders.Hand;
import org.leasehold.command.calendar.claim.ResourceOccupancy;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.selection.ResourceAssignment;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Handles {@link TakeUp}: all resources of the request change their holder, or none does. */
public final class HandOverHandler {

    private static final int MAX_ATTEMPTS = 5;

    private final InventoryCache inventories;
    private final Claims claims;
    private final ClaimInsertion claimInsertion;
    private final Holders holders;
    private final ClaimIndex index;
    private final CalendarGroupCommit group;
    private final ContentionMode contentionMode;

    public HandOverHandler(
            InventoryCache inventories,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            CalendarGroupCommit group,
            ContentionMode wariness) {
        this.inventories = inventories;
        this.claims = claims;
        this.claimInsertion = new ClaimInsertion(claims);
        this.holders = holders;
        this.index = index;
        this.group = group;
        this.contentionMode = wariness;
    }

    /**
     * Returns the answer from memory; empty if the tables must be read. If memory knows of no
     * obstacle, the group becomes the holder of the resources. If others have not released them
     * yet, and the lease does not know that, the answer says so.
     */
    Optional<Grant> answerFromMemory(TakeUp request) {
        if (!group.canAnswerFromMemory() || isShared(request)) {
            return Optional.empty();
        }
        List<Unfit> unfit = findUnfit(request, conditionsFromMemory(request));
        if (unfit.isEmpty()) {
            return Optional.of(new Grant.TakenUp(acquireInGroup(request), List.of()));
        }
        return !request.waits() && unfit.stream().allMatch(Unfit::isLate)
                ? Optional.of(unmetGrant(unfit))
                : Optional.empty();
    }

    private static boolean isShared(TakeUp request) {
        return request.reservations().stream()
                .flatMap(granted -> granted.allocations().stream())
                .anyMatch(allocation -> allocation.share() != null);
    }

    /**
     * Returns the conditions from memory. Memory does not contain how holders share a resource: a
     * request for the whole waits.
     */
    private Map<ResourceId, Condition> conditionsFromMemory(TakeUp request) {
        InventorySnapshot inventory = inventories.latest();
        Map<ResourceId, Condition> conditions = new HashMap<>();
        for (ResourceId id : resources(request)) {
            Optional<CachedResource> known = inventory.find(id);
            boolean inService = known.filter(CachedResource::enrolled).isPresent();
            String name = known.map(r -> r.allocation().name()).orElse("");
            List<Hand> hands =
                    index.holders(id).stream().map(holder -> new Hand(holder, true)).toList();
            conditions.put(id, new Condition(name, inService, null, hands));
        }
        return conditions;
    }

    private List<Tenure> acquireInGroup(TakeUp request) {
        List<Tenure> tenures = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            List<ResourceId> resources =
                    granted.allocations().stream().map(Allocation::resource).toList();
            if (!resources.isEmpty()) {
                tenures.add(
                        group.acquire(
                                request.lease(),
                                granted.reservation(),
                                resources,
                                granted.period().start()));
            }
        }
        return tenures;
    }

    public Grant handOver(TakeUp request) {
        contentionMode.countRead();
        if (resources(request).isEmpty()) {
            return new Grant.TakenUp(List.of(), List.of());
        }
        Map<ResourceId, Condition> conditions = holders.lockConditions(resources(request));
        List<Unfit> unfit = findUnfit(request, conditions);
        if (!unfit.isEmpty() && conditions.values().stream().anyMatch(c -> !c.hands().isEmpty())) {
            // A reservation about to release did so, or waits until it is known that we wait.
            Map<ResourceId, List<Hand>> lasting = holders.lockHolders(resources(request));
            conditions.replaceAll(
                    (id, seen) -> seen.withHands(lasting.getOrDefault(id, List.of())));
            unfit = findUnfit(request, conditions);
        }
        return unfit.isEmpty()
                ? acquireResources(request, Map.of(), List.of())
                : replace(request, unfit);
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

    private static List<Unfit> findUnfit(TakeUp request, Map<ResourceId, Condition> conditions) {
        List<Unfit> unfit = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            for (Allocation allocation : granted.allocations()) {
                Condition condition = Objects.requireNonNull(conditions.get(allocation.resource()));
                List<ReservationId> inTheWay =
                        condition.blockingHolders(granted.reservation(), allocation);
                if (!condition.inService()) {
                    unfit.add(
                            new Unfit(
                                    granted,
                                    allocation,
                                    condition.outOfServiceReason(),
                                    List.of()));
                } else if (!inTheWay.isEmpty()) {
                    unfit.add(
                            new Unfit(
                                    granted,
                                    allocation,
                                    condition.stillHeldReason(inTheWay),
                                    inTheWay));
                }
            }
        }
        return unfit;
    }

    private Grant replace(TakeUp request, List<Unfit> unfit) {
        // Resources out of service are replaced first: they are worse than late ones.
        List<Unfit> inNeed =
                unfit.stream().sorted((a, b) -> Boolean.compare(a.isLate(), b.isLate())).toList();
        if (index.isReady() && !isShared(request) && inNeed.stream().allMatch(Unfit::isLate)) {
            // The release wakes the waiting lease. When thousands change hands in one second,
            // nothing else is free, and a look at all claims for each of them takes a minute.
            List<List<ResourceId>> known =
                    findReplacements(inNeed, inventories.latest(), new Whole(index));
            if (known.stream().anyMatch(List::isEmpty)) {
                return unmetGrant(withoutReplacement(inNeed, known));
            }
        }
        for (int look = 0; look < MAX_ATTEMPTS; look++) {
            InventorySnapshot inventory = inventories.latest();
            Optional<Free> free = readReplacementTest(request, inNeed, inventory);
            if (free.isEmpty()) {
                inventories.reload();
                continue;
            }
            List<List<ResourceId>> found = findReplacements(inNeed, inventory, free.get());
            Map<Unfit, CachedResource> replacements = new LinkedHashMap<>();
            for (int i = 0; i < inNeed.size(); i++) {
                if (found.get(i).isEmpty()) {
                    return unmetGrant(withoutReplacement(inNeed, found));
                }
                CachedResource by = inventory.find(found.get(i).getFirst()).orElseThrow();
                @Nullable Share share = inNeed.get(i).allocation().share();
                replacements.put(inNeed.get(i), share == null ? by : by.withShare(share));
            }
            return replaceClaims(request, inventory, replacements);
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    /**
     * Returns the test for replacements; empty if the inventory is no longer that of the tables.
     */
    private Optional<Free> readReplacementTest(
            TakeUp request, List<Unfit> inNeed, InventorySnapshot inventory) {
        CalendarSnapshot.Question question = snapshotQuestion(inNeed);
        if (isShared(request)) {
            Claims.Survey survey =
                    claims.survey(
                            Claims.hull(question.windows()),
                            relevantResources(request, inNeed, inventory));
            return survey.inventoryVersion() == inventory.version()
                    ? Optional.of(
                            new Shares(inventory, survey, survey.snapshot(question.windows())))
                    : Optional.empty();
        }
        CalendarSnapshot snapshot = claims.readSnapshot(question);
        return snapshot.inventoryVersion() == inventory.version()
                ? Optional.of(new Whole(snapshot))
                : Optional.empty();
    }

    private static Set<ResourceId> relevantResources(
            TakeUp request, List<Unfit> inNeed, InventorySnapshot inventory) {
        Set<ResourceId> concerned = new HashSet<>(resources(request));
        inNeed.forEach(
                unfit -> concerned.addAll(inventory.findCandidateIds(unfit.demand(inventory))));
        return concerned;
    }

    private CalendarSnapshot.Question snapshotQuestion(List<Unfit> inNeed) {
        return new CalendarSnapshot.Question(
                inNeed.stream().map(this::claimWindow).collect(Collectors.toSet()), true, false);
    }

    private LeasePeriod claimWindow(Unfit unfit) {
        return claims.claimWindow(unfit.granted().period());
    }

    private List<List<ResourceId>> findReplacements(
            List<Unfit> inNeed, InventorySnapshot inventory, Free free) {
        // With as many options as there are seekers, one never takes another's last.
        return ResourceAssignment.of(
                inNeed.stream()
                        .map(unfit -> seeker(unfit, inventory, free, inNeed.size()))
                        .toList());
    }

    private ResourceAssignment.Seeker seeker(
            Unfit unfit, InventorySnapshot inventory, Free free, int enough) {
        Demand demand = unfit.demand(inventory);
        LeasePeriod window = claimWindow(unfit);
        if (isRequired(unfit, demand)) {
            return new ResourceAssignment.Seeker(1, 1, List.of(), List.of());
        }
        return new ResourceAssignment.Seeker(
                1,
                1,
                List.of(),
                inventory.findCandidates(demand).stream()
                        .filter(resource -> free.mayReplace(unfit, resource, window))
                        .map(CachedResource::id)
                        .limit(enough)
                        .toList());
    }

    /** Returns whether the resource was requested by name, and so cannot be replaced. */
    private static boolean isRequired(Unfit unfit, Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> whole.required().contains(unfit.allocation().name());
            case Demand.Shared _ -> false;
        };
    }

    /** A test of what could replace a resource that cannot serve. */
    private interface Free {

        boolean mayReplace(Unfit unfit, CachedResource resource, LeasePeriod window);
    }

    private record Whole(ResourceOccupancy occupation) implements Free {

        @Override
        public boolean mayReplace(Unfit unfit, CachedResource resource, LeasePeriod window) {
            return occupation.isFree(resource.id(), window) && !occupation.isHeld(resource.id());
        }
    }

    /**
     * A test for shares: a share moves unchanged, to a resource on which its reservation has
     * nothing else.
     */
    private record Shares(
            InventorySnapshot inventory,
            Claims.Survey survey,
            CalendarSnapshot snapshot,
            FreeCapacities rooms)
            implements Free {

        Shares(InventorySnapshot inventory, Claims.Survey survey, CalendarSnapshot snapshot) {
            this(inventory, survey, snapshot, new FreeCapacities(survey.claims()));
        }

        @Override
        public boolean mayReplace(Unfit unfit, CachedResource resource, LeasePeriod window) {
            @Nullable Share share = unfit.allocation().share();
            if (share == null) {
                return new Whole(snapshot).mayReplace(unfit, resource, window);
            }
            FreeCapacityFilter left = new FreeCapacityFilter(unfit.demand(inventory).requirement());
            return !survey.heldWhole().contains(resource.id())
                    && unfit.granted().allocations().stream()
                            .noneMatch(held -> held.resource().equals(resource.id()))
                    && rooms.ofResource(resource).freeSlots(share.needs(), left, window)
                            >= share.slots();
        }
    }

    /** Returns those without a replacement. */
    private static List<Unfit> withoutReplacement(
            List<Unfit> inNeed, List<List<ResourceId>> found) {
        return IntStream.range(0, inNeed.size())
                .filter(i -> found.get(i).isEmpty())
                .mapToObj(inNeed::get)
                .toList();
    }

    private static Grant unmetGrant(List<Unfit> needs) {
        Set<ReservationId> holders = new LinkedHashSet<>();
        for (Unfit unfit : needs) {
            if (!unfit.isLate()) {
                return new Grant.Unserviceable(unfit.granted().reservation(), unfit.reason());
            }
            holders.addAll(unfit.holders());
        }
        return new Grant.Awaited(
                List.copyOf(holders),
                needs.stream().map(Unfit::reason).collect(Collectors.joining("; ")));
    }

    /** Moves claims on resources that cannot serve to their replacements. */
    private Grant replaceClaims(
            TakeUp request, InventorySnapshot inventory, Map<Unfit, CachedResource> replacements) {
        List<Offer> offers = new ArrayList<>();
        replacements.forEach(
                (unfit, replacement) -> {
                    Granted granted = unfit.granted();
                    claims.delete(granted.reservation(), List.of(unfit.allocation().resource()));
                    offers.add(
                            new Offer(
                                    request.lease(),
                                    request.project(),
                                    granted.reservation(),
                                    claims.claimWindow(granted.period()),
                                    List.of(replacement),
                                    Set.of(),
                                    unfit.demand(inventory)));
                });
        Map<ReservationId, Set<ResourceId>> claimed = claimInsertion.insertClaims(offers);
        if (claimed.values().stream().mapToInt(Set::size).sum() < replacements.size()) {
            throw new CalendarContention("somebody else took the replacement");
        }
        Map<ResourceUse, Allocation> moved = new HashMap<>();
        List<Replacement> replaced = new ArrayList<>();
        replacements.forEach(
                (unfit, by) -> {
                    moved.put(unfit.resourceUse(), by.allocation());
                    replaced.add(
                            new Replacement(
                                    unfit.granted().reservation(),
                                    unfit.allocation().resource(),
                                    by.allocation(),
                                    unfit.reason()));
                });
        return acquireResources(request, moved, replaced);
    }

    private Grant acquireResources(
            TakeUp request, Map<ResourceUse, Allocation> moved, List<Replacement> replacements) {
        Map<ReservationId, List<Allocation>> taken = new LinkedHashMap<>();
        Instant now = Instant.MAX;
        for (Granted granted : request.reservations()) {
            taken.put(
                    granted.reservation(),
                    granted.allocations().stream()
                            .map(
                                    held ->
                                            moved.getOrDefault(
                                                    new ResourceUse(
                                                            granted.reservation(), held.resource()),
                                                    held))
                            .toList());
            now = granted.period().start();
        }
        return new Grant.TakenUp(holders.acquire(request.lease(), taken, now), replacements);
    }

    /** The use of a resource by a reservation. */
    private record ResourceUse(ReservationId reservation, ResourceId resource) {}

    /**
     * A granted resource, or share of it, of which the reservation cannot become the holder.
     *
     * @param holders the reservations that still have it; empty when it is out of service
     */
    private record Unfit(
            Granted granted, Allocation allocation, String reason, List<ReservationId> holders) {

        boolean isLate() {
            return !holders.isEmpty();
        }

        Demand demand(InventorySnapshot inventory) {
            return inventory.demandServedBy(allocation.resource(), granted.demands());
        }

        ResourceUse resourceUse() {
            return new ResourceUse(granted.reservation(), allocation.resource());
        }
    }
}
