package org.leasehold.command.calendar.stored;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.selection.ResourceAssignment;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.HashSet;
import java.util.List;
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
     */
    Optional<ReplacementCriterion> readCriterion(
            TakeUp request, List<UnfitAllocation> inNeed, InventorySnapshot inventory) {
        CalendarSnapshot.Question question = snapshotQuestion(inNeed);
        if (request.hasShares()) {
            Claims.Survey survey =
                    claims.survey(
                            Claims.hull(question.windows()),
                            relevantResources(request, inNeed, inventory));
            return survey.inventoryVersion() == inventory.version()
                    ? Optional.of(
                            new ReplacementCriterion.Shares(
                                    inventory, survey, survey.snapshot(question.windows())))
                    : Optional.empty();
        }
        CalendarSnapshot snapshot = claims.readSnapshot(question);
        return snapshot.inventoryVersion() == inventory.version()
                ? Optional.of(new ReplacementCriterion.Whole(snapshot))
                : Optional.empty();
    }

    private static Set<ResourceId> relevantResources(
            TakeUp request, List<UnfitAllocation> inNeed, InventorySnapshot inventory) {
        Set<ResourceId> concerned = new HashSet<>(request.resources());
        inNeed.forEach(
                unfit -> concerned.addAll(inventory.findCandidateIds(unfit.demand(inventory))));
        return concerned;
    }

    private CalendarSnapshot.Question snapshotQuestion(List<UnfitAllocation> inNeed) {
        return new CalendarSnapshot.Question(
                inNeed.stream().map(this::claimWindow).collect(Collectors.toSet()), true, false);
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
