package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.selection.ResourceAssignment;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Searches for resources that replace those that cannot serve. */
final class ReplacementSearch {

    private final Claims claims;

    ReplacementSearch(Claims claims) {
        this.claims = claims;
    }

    /**
     * Reads the criterion from the tables; returns empty if the inventory is no longer that of the
     * tables.
     *
     * @param reservations all reservations of the request
     * @param atOnce whether the reservations become holders at once
     */
    Optional<ReplacementCriterion> readCriterion(
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

    /** Returns the options of each allocation; an empty list for none. */
    List<List<ResourceId>> find(
            List<UnfitAllocation> inNeed,
            InventorySnapshot inventory,
            ReplacementCriterion criterion) {
        // With as many options as there are seekers, one never takes another's last.
        return ResourceAssignment.of(
                inNeed.stream()
                        .map(unfit -> seeker(unfit, inventory, criterion, inNeed.size()))
                        .toList());
    }

    /** Returns a replacement for each allocation that has one. */
    Map<UnfitAllocation, CachedResource> choose(
            List<UnfitAllocation> inNeed,
            InventorySnapshot inventory,
            ReplacementCriterion criterion) {
        return chosen(inNeed, find(inNeed, inventory, criterion), inventory);
    }

    /** Returns the first option of each allocation that has one. */
    static Map<UnfitAllocation, CachedResource> chosen(
            List<UnfitAllocation> inNeed,
            List<List<ResourceId>> found,
            InventorySnapshot inventory) {
        Map<UnfitAllocation, CachedResource> replacements = new LinkedHashMap<>();
        for (int i = 0; i < inNeed.size(); i++) {
            if (!found.get(i).isEmpty()) {
                CachedResource by = inventory.find(found.get(i).getFirst()).orElseThrow();
                @Nullable Share share = inNeed.get(i).allocation().share();
                replacements.put(inNeed.get(i), share == null ? by : by.withShare(share));
            }
        }
        return replacements;
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
