package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Choice.Suitors;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Explains why whole resources are short where many claims touch the windows: by what is free
 * throughout a window, and without the part of it in which the fewest are.
 */
final class BriefRefusal {

    private final Choosing choosing;
    private final Choice choice;
    private final Snapshot snapshot;

    BriefRefusal(Choosing choosing, Choice choice, Snapshot snapshot) {
        this.choosing = choosing;
        this.choice = choice;
        this.snapshot = snapshot;
    }

    Grant.TooFew explain() {
        List<Shortage> shortages = new ArrayList<>();
        for (int place = 0; place < choice.wanted().size(); place++) {
            if (!choice.isMet(place)) {
                shortages.add(
                        switch (choice.wanted().get(place).demand()) {
                            case Demand.Whole demand -> shortage(place, demand);
                            case Demand.Shared _ ->
                                    throw new IllegalStateException("shares have a survey");
                        });
            }
        }
        return new Grant.TooFew(shortages, snapshot.position());
    }

    private Shortage shortage(int place, Demand.Whole demand) {
        Suitors suitors = choice.suitors().get(place);
        int needed = suitors.fixed().size() + suitors.lost().size();
        return suitors.lost().isEmpty()
                ? shortage(
                        place,
                        demand.minimum(),
                        choice.inventory().candidates(demand).size(),
                        free(place, demand))
                : shortage(place, needed, needed, suitors.fixed().size());
    }

    private Shortage shortage(int place, int wanted, int matching, int free) {
        Wanted its = choice.wanted().get(place);
        return new Shortage(
                its.reservation(),
                its.demand().kind(),
                wanted,
                matching,
                free,
                choosing.window(its),
                free,
                null);
    }

    /** Nothing, where what was asked for by name is not free. */
    private int free(int place, Demand.Whole demand) {
        Wanted wanted = choice.wanted().get(place);
        LeasePeriod window = choosing.window(wanted);
        Set<ResourceId> free = new HashSet<>();
        choice.usable(place, demand, snapshot::isHeld).stream()
                .filter(id -> snapshot.isFree(id, window))
                .forEach(free::add);
        List<ResourceId> required = choice.inventory().required(demand);
        return required.size() == demand.required().size() && free.containsAll(required)
                ? free.size()
                : 0;
    }
}
