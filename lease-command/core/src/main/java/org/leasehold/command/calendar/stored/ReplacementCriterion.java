package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.ResourceOccupancy;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

/** Decides which resources may replace one that cannot serve. */
interface ReplacementCriterion {

    boolean mayReplace(UnfitAllocation unfit, CachedResource resource, LeasePeriod window);

    /** The criterion for whole resources: they are free, and have no holder. */
    record Whole(ResourceOccupancy occupation) implements ReplacementCriterion {

        @Override
        public boolean mayReplace(
                UnfitAllocation unfit, CachedResource resource, LeasePeriod window) {
            return occupation.isFree(resource.id(), window) && !occupation.isHeld(resource.id());
        }
    }

    /**
     * The criterion for shares: a share moves unchanged, to a resource on which its reservation has
     * nothing else.
     */
    record Shares(
            InventorySnapshot inventory,
            Claims.Survey survey,
            CalendarSnapshot snapshot,
            FreeCapacities capacities)
            implements ReplacementCriterion {

        Shares(InventorySnapshot inventory, Claims.Survey survey, CalendarSnapshot snapshot) {
            this(inventory, survey, snapshot, new FreeCapacities(survey.claims()));
        }

        @Override
        public boolean mayReplace(
                UnfitAllocation unfit, CachedResource resource, LeasePeriod window) {
            @Nullable Share share = unfit.allocation().share();
            if (share == null) {
                return new Whole(snapshot).mayReplace(unfit, resource, window);
            }
            FreeCapacityFilter left = new FreeCapacityFilter(unfit.demand(inventory).requirement());
            return !survey.heldWhole().contains(resource.id())
                    && unfit.granted().allocations().stream()
                            .noneMatch(held -> held.resource().equals(resource.id()))
                    && capacities.ofResource(resource).freeSlots(share.needs(), left, window)
                            >= share.slots();
        }
    }
}
