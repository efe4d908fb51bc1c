package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Choice.Suitors;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Explains why a choice is incomplete, by the snapshot that it was made on. */
final class Refusal {

    /** How far beyond a window's start another start is looked for. */
    static final Duration HORIZON = Duration.ofDays(30);

    private final Choosing choosing;
    private final Choice choice;
    private final Claims.Survey survey;

    Refusal(Choosing choosing, Choice choice, Claims.Survey survey) {
        this.choosing = choosing;
        this.choice = choice;
        this.survey = survey;
    }

    /** The time that has to be surveyed to explain anything about these windows. */
    static LeasePeriod span(Set<LeasePeriod> windows) {
        LeasePeriod all = Claims.hull(windows);
        return new LeasePeriod(all.start(), all.end().plus(HORIZON));
    }

    Grant.TooFew explain() {
        List<Shortage> shortages = new ArrayList<>();
        for (int place = 0; place < choice.wanted().size(); place++) {
            if (!choice.isMet(place)) {
                Wanted wanted = choice.wanted().get(place);
                Suitors suitors = choice.suitors().get(place);
                shortages.add(
                        suitors.lost().isEmpty()
                                ? tooFew(wanted, suitors, choice.takenByOthers(place))
                                : lost(wanted, suitors));
            }
        }
        return new Grant.TooFew(shortages, survey.position());
    }

    /** A running reservation needs the very resources that it has, and now. */
    private Shortage lost(Wanted wanted, Suitors suitors) {
        List<ResourceId> needed =
                Stream.concat(suitors.fixed().stream(), suitors.lost().stream()).toList();
        FreeTime.Part part = FreeTime.of(needed, survey.claims()).scarcest(choosing.window(wanted));
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

    private Shortage tooFew(Wanted wanted, Suitors suitors, Set<ResourceId> takenByOthers) {
        LeasePeriod window = choosing.window(wanted);
        Demand demand = wanted.demand();
        List<ResourceId> matching =
                choice.inventory().matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .toList();
        List<ResourceId> usable =
                matching.stream()
                        .filter(id -> !takenByOthers.contains(id))
                        .filter(id -> !wanted.running() || isUsableNow(id, suitors))
                        .toList();
        FreeTime time = freeTime(demand, usable);
        FreeTime.Part part = time.scarcest(window);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.minimum(),
                matching.size(),
                time.throughout(window),
                part.period(),
                part.free(),
                wanted.running() ? null : nextStart(time, demand.minimum(), window));
    }

    /** Others are of no use without those that were asked for by name. */
    private FreeTime freeTime(Demand demand, List<ResourceId> usable) {
        List<ResourceId> required =
                choice.inventory().required(demand).stream().filter(usable::contains).toList();
        return required.size() < demand.required().size()
                ? FreeTime.of(List.of(), List.of())
                : FreeTime.of(usable, survey.claims())
                        .whileFree(FreeTime.of(required, survey.claims()));
    }

    private boolean isUsableNow(ResourceId id, Suitors suitors) {
        return suitors.fixed().contains(id) || !survey.held().contains(id);
    }

    private static @Nullable Instant nextStart(FreeTime time, int wanted, LeasePeriod window) {
        return time
                .openings(wanted, window.length(), window.start(), window.start().plus(HORIZON), 1)
                .stream()
                .map(opening -> opening.starts().start())
                .findFirst()
                .orElse(null);
    }
}
