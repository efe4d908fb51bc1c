package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Choice.Suitors;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Explains why a choice is incomplete, by the snapshot that it was made on, which ends with the
 * windows. {@link StartSearch} looks beyond them.
 */
final class Refusal {

    private final Choosing choosing;
    private final Choice choice;
    private final Claims.Survey survey;
    private final Map<ResourceId, Slots> claimed;

    /** What is claimed, together with all that was chosen. */
    private final Rooms rooms;

    Refusal(Choosing choosing, Choice choice, Claims.Survey survey) {
        this.choosing = choosing;
        this.choice = choice;
        this.survey = survey;
        claimed = FreeTime.slots(survey.claims());
        rooms = new Rooms(survey.claims());
        for (int place = 0; place < choice.wanted().size(); place++) {
            chosen(place).forEach(rooms::add);
        }
    }

    private List<Claim> chosen(int place) {
        return choice.claims(place, choosing.window(choice.wanted().get(place)));
    }

    Grant.TooFew explain() {
        List<Shortage> shortages = new ArrayList<>();
        for (int place = 0; place < choice.wanted().size(); place++) {
            if (!choice.isMet(place)) {
                Wanted wanted = choice.wanted().get(place);
                Suitors suitors = choice.suitors().get(place);
                shortages.add(
                        switch (wanted.demand()) {
                            case Demand.Whole _ when !suitors.lost().isEmpty() ->
                                    lost(wanted, suitors);
                            case Demand.Whole demand -> tooFew(place, wanted, demand);
                            case Demand.Shared demand -> tooLittle(place, wanted, demand);
                        });
            }
        }
        return new Grant.TooFew(shortages, survey.position());
    }

    /** A running reservation needs the very resources that it has, and now. */
    private Shortage lost(Wanted wanted, Suitors suitors) {
        List<ResourceId> needed =
                Stream.concat(suitors.fixed().stream(), suitors.lost().stream()).toList();
        FreeTime.Part part = FreeTime.of(needed, claimed).scarcest(choosing.window(wanted));
        return new Shortage(
                wanted.reservation(),
                wanted.demand().kind(),
                needed.size(),
                needed.size(),
                suitors.fixed().size(),
                part.period(),
                part.free(),
                null);
    }

    private Shortage tooFew(int place, Wanted wanted, Demand.Whole demand) {
        LeasePeriod window = choosing.window(wanted);
        List<ResourceId> usable = choice.usable(place, demand, survey.held()::contains);
        FreeTime time = choice.freeTime(demand, usable, ids -> FreeTime.of(ids, claimed));
        FreeTime.Part part = time.scarcest(window);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.minimum(),
                choice.inventory().candidates(demand).size(),
                time.throughout(window),
                part.period(),
                part.free(),
                null);
    }

    /** A running reservation keeps its slots where they are, and gets more only where it may. */
    private Shortage tooLittle(int place, Wanted wanted, Demand.Shared demand) {
        LeasePeriod window = choosing.window(wanted);
        List<KnownResource> matching = choice.inventory().candidates(demand);
        List<Claim> own = chosen(place);
        List<KnownResource> usable =
                matching.stream()
                        .filter(resource -> !wanted.running() || mayHave(wanted, demand, resource))
                        .toList();
        SharedTime time = new SharedTime(demand, usable, rooms.without(own));
        FreeTime.Part part = time.scarcest(window);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.slots(),
                new SharedTime(demand, matching, List.of()).throughout(window),
                time.throughout(window),
                part.period(),
                part.free(),
                null);
    }

    private boolean mayHave(Wanted wanted, Demand.Shared demand, KnownResource resource) {
        boolean its = wanted.current().contains(resource.id());
        return switch (demand.spread()) {
            case ANYWHERE, APART -> its || !survey.heldWhole().contains(resource.id());
            case TOGETHER ->
                    its
                            || (wanted.current().isEmpty()
                                    && !survey.heldWhole().contains(resource.id()));
        };
    }
}
