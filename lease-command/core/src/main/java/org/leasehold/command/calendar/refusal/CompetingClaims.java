package org.leasehold.command.calendar.refusal;

import org.leasehold.command.calendar.selection.ResourceSelection;
import org.leasehold.command.calendar.selection.SelectedResources;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;

import java.util.List;

/**
 * The claims of a choice on shares. A demand has only the capacity that the other demands of the
 * request leave. A single demand competes with no other, so its claims are not even listed.
 */
record CompetingClaims(ResourceSelection selection, SelectedResources selected) {

    /** Adds the claims of all demands to capacities, and returns these. */
    FreeCapacities addTo(FreeCapacities capacities) {
        if (selection.request().hasShares()) {
            for (int index = 0; index < selected.wanted().size(); index++) {
                claims(index).forEach(capacities::add);
            }
        }
        return capacities;
    }

    /** Returns the capacities that {@link #addTo} returned, without a demand's own claims. */
    FreeCapacities withoutOwn(FreeCapacities capacities, int index) {
        return capacities.without(claims(index));
    }

    private List<Claim> claims(int index) {
        return selection.request().hasSeveralDemands()
                ? selected.claims(index, selection.claimWindow(selected.wanted().get(index)))
                : List.of();
    }
}
