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

    /**
     * The criterion for whole resources: they are free in the window.
     *
     * @param atOnce whether they must have no holder now either
     */
    record Whole(ResourceOccupancy occupation, boolean atOnce) implements ReplacementCriterion {

        @Override
        public boolean mayReplace(
                UnfitAllocation unfit, CachedResource resource, LeasePeriod window) {
            return occupation.isFree(resource.id(), window)
                    && !(atOnce && occupation.isHeld(resource.id()));
        }
    }

    /**
     * The criterion for shares: a share moves unchanged, to a resource on which its reservation has
     * nothing else.
     *
     * @param atOnce whether the resource must have no holder of the whole now
     */
    record Shares(
            InventorySnapshot inventory,
            Claims.Survey survey,
            CalendarSnapshot snapshot,
            FreeCapacities capacities,
            boolean atOnce)
            implements ReplacementCriterion {

        Shares(
                InventorySnapshot inventory,
                Claims.Survey survey,
                CalendarSnapshot snapshot,
                boolean atOnce) {
            this(inventory, survey, snapshot, new FreeCapacities(survey.claims()), atOnce);
        }

        @Override
        public boolean mayReplace(
                UnfitAllocation unfit, CachedResource resource, LeasePeriod window) {
            @Nullable Share share = unfit.allocation().share();
            if (share == null) {
                return new Whole(snapshot, atOnce).mayReplace(unfit, resource, window);
            }
            FreeCapacityFilter left = new FreeCapacityFilter(unfit.demand(inventory).requirement());
            return !(atOnce && survey.heldWhole().contains(resource.id()))
                    && unfit.granted().allocations().stream()
                            .noneMatch(held -> held.resource().equals(resource.id()))
                    && capacities.ofResource(resource).freeSlots(share.needs(), left, window)
                            >= share.slots();
        }
    }
}
