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

    Grant.TooFew explain() {
        List<Shortage> shortages = new ArrayList<>();
        for (int place = 0; place < selectedResources.wanted().size(); place++) {
            if (!selectedResources.isMet(place)) {
                shortages.add(
                        switch (selectedResources.wanted().get(place).demand()) {
                            case Demand.Whole demand -> shortage(place, demand);
                            case Demand.Shared _ ->
                                    throw new IllegalStateException("shares have a survey");
                        });
            }
        }
        return new Grant.TooFew(shortages, snapshot.position());
    }

    private Shortage shortage(int place, Demand.Whole demand) {
        Suitors suitors = selectedResources.suitors().get(place);
        int needed = suitors.fixed().size() + suitors.lost().size();
        return suitors.lost().isEmpty()
                ? shortage(
                        place,
                        demand.minimum(),
                        selectedResources.inventory().findCandidates(demand).size(),
                        countFree(place, demand))
                : shortage(place, needed, needed, suitors.fixed().size());
    }

    private Shortage shortage(int place, int wanted, int matching, int free) {
        Wanted its = selectedResources.wanted().get(place);
        return new Shortage(
                its.reservation(),
                its.demand().kind(),
                wanted,
                matching,
                free,
                resourceSelection.claimWindow(its),
                free,
                null);
    }

    /**
     * Returns the number of free resources; 0 if a resource that was requested by name is not free.
     */
    private int countFree(int place, Demand.Whole demand) {
        Wanted wanted = selectedResources.wanted().get(place);
        LeasePeriod window = resourceSelection.claimWindow(wanted);
        Set<ResourceId> free = new HashSet<>();
        selectedResources.usableResources(place, demand, snapshot::isHeld).stream()
                .filter(id -> snapshot.isFree(id, window))
                .forEach(free::add);
        List<ResourceId> required = selectedResources.inventory().findRequired(demand);
        return required.size() == demand.required().size() && free.containsAll(required)
                ? free.size()
                : 0;
    }
}
