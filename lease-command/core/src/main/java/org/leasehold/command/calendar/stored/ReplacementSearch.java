package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.selection.ResourceAssignment;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Searches for resources that replace those that cannot serve. */
final class ReplacementSearch {

    private static final int MAX_ATTEMPTS = 5;

    private final InventoryCache inventories;
    private final Claims claims;

    ReplacementSearch(InventoryCache inventories, Claims claims) {
        this.inventories = inventories;
        this.claims = claims;
    }

    /**
     * The result of a search.
     *
     * @param chosen the replacement of each allocation that has one
     * @param unmet the allocations without a replacement
     */
    record Found(
            InventorySnapshot inventory,
            Map<UnfitAllocation, CachedResource> chosen,
            List<UnfitAllocation> unmet) {

        /** Returns the replacement of an allocation; null if it has none. */
        @Nullable CachedResource replacementOf(Allocation held) {
            return chosen.entrySet().stream()
                    .filter(each -> each.getKey().allocation().equals(held))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * Searches in the tables.
     *
     * @param reservations all reservations of the request
     * @param atOnce whether the reservations become holders at once
     * @throws CalendarContention if the inventory changes with every look at the tables
     */
    Found search(List<Granted> reservations, List<UnfitAllocation> inNeed, boolean atOnce) {
        for (int look = 0; look < MAX_ATTEMPTS; look++) {
            InventorySnapshot inventory = inventories.latest();
            Optional<ReplacementCriterion> criterion =
                    readCriterion(reservations, inNeed, inventory, atOnce);
            if (criterion.isPresent()) {
                return find(inNeed, inventory, criterion.get());
            }
            inventories.reload();
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    /** Returns empty if the inventory is no longer that of the tables. */
    private Optional<ReplacementCriterion> readCriterion(
            List<Granted> reservations,
            List<UnfitAllocation> inNeed,
            InventorySnapshot inventory,
            boolean atOnce) {
        CalendarSnapshot.Question question = snapshotQuestion(inNeed, atOnce);
        if (Granted.haveShares(reservations)) {
            Claims.Survey survey =
                    claims.survey(
                            Claims.hull(question.windows()),
                            relevantResources(reservations, inNeed, inventory));
            return survey.inventoryVersion() == inventory.version()
                    ? Optional.of(
                            new ReplacementCriterion.Shares(
                                    inventory, survey, survey.snapshot(question.windows()), atOnce))
                    : Optional.empty();
        }
        CalendarSnapshot snapshot = claims.readSnapshot(question);
        return snapshot.inventoryVersion() == inventory.version()
                ? Optional.of(new ReplacementCriterion.Whole(snapshot, atOnce))
                : Optional.empty();
    }

    private static Set<ResourceId> relevantResources(
            List<Granted> reservations, List<UnfitAllocation> inNeed, InventorySnapshot inventory) {
        Set<ResourceId> concerned = new HashSet<>(Granted.resources(reservations));
        inNeed.forEach(
                unfit -> concerned.addAll(inventory.findCandidateIds(unfit.demand(inventory))));
        return concerned;
    }

    private CalendarSnapshot.Question snapshotQuestion(
            List<UnfitAllocation> inNeed, boolean atOnce) {
        return new CalendarSnapshot.Question(
                inNeed.stream().map(this::claimWindow).collect(Collectors.toSet()), atOnce, false);
    }

    private LeasePeriod claimWindow(UnfitAllocation unfit) {
        return claims.claimWindow(unfit.granted().period());
    }

    /** Searches by a criterion; of several options, the first is chosen. */
    Found find(
            List<UnfitAllocation> inNeed,
            InventorySnapshot inventory,
            ReplacementCriterion criterion) {
        // With as many options as there are seekers, one never takes another's last.
        List<List<ResourceId>> options =
                ResourceAssignment.of(
                        inNeed.stream()
                                .map(unfit -> seeker(unfit, inventory, criterion, inNeed.size()))
                                .toList());
        Map<UnfitAllocation, CachedResource> chosen = new LinkedHashMap<>();
        List<UnfitAllocation> unmet = new ArrayList<>();
        for (int i = 0; i < inNeed.size(); i++) {
            UnfitAllocation unfit = inNeed.get(i);
            if (options.get(i).isEmpty()) {
                unmet.add(unfit);
            } else {
                CachedResource by = inventory.find(options.get(i).getFirst()).orElseThrow();
                @Nullable Share share = unfit.allocation().share();
                chosen.put(unfit, share == null ? by : by.withShare(share));
            }
        }
        return new Found(inventory, chosen, unmet);
    }

    private ResourceAssignment.Seeker seeker(
            UnfitAllocation unfit,
            InventorySnapshot inventory,
            ReplacementCriterion criterion,
            int enough) {
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
                        .filter(resource -> criterion.mayReplace(unfit, resource, window))
                        .map(CachedResource::id)
                        .limit(enough)
                        .toList());
    }

    /** Returns whether the resource was requested by name, and so cannot be replaced. */
    private static boolean isRequired(UnfitAllocation unfit, Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> whole.required().contains(unfit.allocation().name());
            case Demand.Shared _ -> false;
        };
    }
}
