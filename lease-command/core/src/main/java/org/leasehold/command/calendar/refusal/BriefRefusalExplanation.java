package org.leasehold.command.calendar.refusal;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.selection.ResourceSelection;
import org.leasehold.command.calendar.selection.SelectedResources;
import org.leasehold.command.calendar.selection.SelectedResources.Suitors;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Explains a shortage of whole resources where many claims touch the windows. It counts the
 * resources that are free throughout a window, and leaves out the part of it in which the fewest
 * are.
 */
final class BriefRefusalExplanation {

    private final ResourceSelection resourceSelection;
    private final SelectedResources selectedResources;
    private final CalendarSnapshot snapshot;

    BriefRefusalExplanation(
            ResourceSelection choosing, SelectedResources choice, CalendarSnapshot snapshot) {
        this.resourceSelection = choosing;
        this.selectedResources = choice;
        this.snapshot = snapshot;
    }

    Grant.HoldRefused explain() {
        List<Shortage> shortages = new ArrayList<>();
        for (int index = 0; index < selectedResources.wanted().size(); index++) {
            if (!selectedResources.isMet(index)) {
                shortages.add(
                        switch (selectedResources.wanted().get(index).demand()) {
                            case Demand.Whole demand -> shortage(index, demand);
                            case Demand.Shared _ ->
                                    throw new IllegalStateException("shares have a survey");
                        });
            }
        }
        return new Grant.HoldRefused(shortages, snapshot.position());
    }

    private Shortage shortage(int index, Demand.Whole demand) {
        Suitors suitors = selectedResources.suitors().get(index);
        int needed = suitors.fixed().size() + suitors.lost().size();
        return suitors.lost().isEmpty()
                ? shortage(
                        index,
                        demand.minimum(),
                        selectedResources.inventory().findCandidates(demand).size(),
                        countFree(index, demand))
                : shortage(index, needed, needed, suitors.fixed().size());
    }

    private Shortage shortage(int index, int wanted, int matching, int free) {
        Wanted request = selectedResources.wanted().get(index);
        return new Shortage(
                request.reservation(),
                request.demand().kind(),
                wanted,
                matching,
                free,
                resourceSelection.claimWindow(request),
                free,
                null);
    }

    /**
     * Returns the number of free resources; 0 if a resource that was requested by name is not free.
     */
    private int countFree(int index, Demand.Whole demand) {
        Wanted wanted = selectedResources.wanted().get(index);
        LeasePeriod window = resourceSelection.claimWindow(wanted);
        Set<ResourceId> free = new HashSet<>();
        selectedResources.usableResources(index, demand, snapshot::isHeld).stream()
                .filter(id -> snapshot.isFree(id, window))
                .forEach(free::add);
        List<ResourceId> required = selectedResources.inventory().findRequired(demand);
        return required.size() == demand.required().size() && free.containsAll(required)
                ? free.size()
                : 0;
    }
}
