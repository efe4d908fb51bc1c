package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.Holders.Condition;
import org.leasehold.command.calendar.claim.Holders.Hand;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.stored.ReplacementSearch.Found;
import org.leasehold.command.calendar.stored.UnfitAllocation.ResourceUse;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

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

/** Handles {@link TakeUp}: all resources of the request change their holder, or none does. */
public final class HandOverHandler {

    private final InventoryCache inventories;
    private final Claims claims;
    private final ClaimMove claimMove;
    private final ReplacementSearch replacementSearch;
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
            ContentionMode contentionMode) {
        this.inventories = inventories;
        this.claims = claims;
        this.claimMove = new ClaimMove(claims);
        this.replacementSearch = new ReplacementSearch(inventories, claims);
        this.holders = holders;
        this.index = index;
        this.group = group;
        this.contentionMode = contentionMode;
    }

    /**
     * Returns the answer from memory; empty if the tables must be read. If memory knows of no
     * obstacle, the group becomes the holder of the resources. If others have not released them
     * yet, and the lease does not know that, the answer says so.
     */
    Optional<Grant.OfTakeUp> answerFromMemory(TakeUp request) {
        if (!group.canAnswerFromMemory() || request.hasShares()) {
            return Optional.empty();
        }
        List<UnfitAllocation> unfit = findUnfit(request, conditionsFromMemory(request));
        if (unfit.isEmpty()) {
            return Optional.of(new Grant.TakenUp(acquireInGroup(request), List.of()));
        }
        return !request.waits() && unfit.stream().allMatch(UnfitAllocation::isLate)
                ? Optional.of(unmetGrant(unfit))
                : Optional.empty();
    }

    /**
     * Returns the conditions from memory. Memory does not contain how holders share a resource: a
     * request for the whole waits.
     */
    private Map<ResourceId, Condition> conditionsFromMemory(TakeUp request) {
        InventorySnapshot inventory = inventories.latest();
        Map<ResourceId, Condition> conditions = new HashMap<>();
        for (ResourceId id : request.resources()) {
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

    public Grant.OfTakeUp handOver(TakeUp request) {
        Grant.OfTakeUp grant = changeHolders(request);
        Instant end = request.endIfUnserviceable();
        if (grant instanceof Grant.Unserviceable && end != null) {
            claims.shorten(request.lease(), reservations(request), end);
        }
        return grant;
    }

    private Grant.OfTakeUp changeHolders(TakeUp request) {
        contentionMode.countRead();
        if (request.resources().isEmpty()) {
            return new Grant.TakenUp(List.of(), List.of());
        }
        Map<ResourceId, Condition> conditions = holders.lockConditions(request.resources());
        List<UnfitAllocation> unfit = findUnfit(request, conditions);
        if (!unfit.isEmpty() && conditions.values().stream().anyMatch(c -> !c.hands().isEmpty())) {
            // A reservation about to release did so, or waits until it is known that we wait.
            Map<ResourceId, List<Hand>> lasting = holders.lockHolders(request.resources());
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

    private static List<UnfitAllocation> findUnfit(
            TakeUp request, Map<ResourceId, Condition> conditions) {
        List<UnfitAllocation> unfit = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            for (Allocation allocation : granted.allocations()) {
                Condition condition = Objects.requireNonNull(conditions.get(allocation.resource()));
                List<ReservationId> inTheWay =
                        condition.blockingHolders(granted.reservation(), allocation);
                if (!condition.inService()) {
                    unfit.add(UnfitAllocation.outOfService(granted, allocation, condition));
                } else if (!inTheWay.isEmpty()) {
                    unfit.add(
                            new UnfitAllocation(
                                    granted,
                                    allocation,
                                    condition.stillHeldReason(inTheWay),
                                    inTheWay));
                }
            }
        }
        return unfit;
    }

    private Grant.OfTakeUp replace(TakeUp request, List<UnfitAllocation> unfit) {
        // Resources out of service are replaced first: they are worse than late ones.
        List<UnfitAllocation> inNeed =
                unfit.stream().sorted((a, b) -> Boolean.compare(a.isLate(), b.isLate())).toList();
        if (index.isReady()
                && !request.hasShares()
                && inNeed.stream().allMatch(UnfitAllocation::isLate)) {
            // The release wakes the waiting lease. When thousands change hands in one second,
            // nothing else is free, and a look at all claims for each of them takes a minute.
            Found inMemory =
                    replacementSearch.find(
                            inNeed,
                            inventories.latest(),
                            new ReplacementCriterion.Whole(index, true));
            if (!inMemory.unmet().isEmpty()) {
                return unmetGrant(inMemory.unmet());
            }
        }
        Found found = replacementSearch.search(request.reservations(), inNeed, true);
        return found.unmet().isEmpty() ? replaceClaims(request, found) : unmetGrant(found.unmet());
    }

    private static Grant.OfTakeUp unmetGrant(List<UnfitAllocation> needs) {
        Set<ReservationId> holders = new LinkedHashSet<>();
        for (UnfitAllocation unfit : needs) {
            if (!unfit.isLate()) {
                return new Grant.Unserviceable(unfit.granted().reservation(), unfit.reason());
            }
            holders.addAll(unfit.holders());
        }
        return new Grant.Awaited(
                List.copyOf(holders),
                needs.stream().map(UnfitAllocation::reason).collect(Collectors.joining("; ")));
    }

    /** Moves claims on resources that cannot serve to their replacements. */
    private Grant.TakenUp replaceClaims(TakeUp request, Found found) {
        Map<ResourceUse, Allocation> moved = new HashMap<>();
        found.chosen().forEach((unfit, by) -> moved.put(unfit.resourceUse(), by.allocation()));
        List<Replacement> replaced = claimMove.move(request.lease(), request.project(), found);
        return acquireResources(request, moved, replaced);
    }

    private Grant.TakenUp acquireResources(
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
}
