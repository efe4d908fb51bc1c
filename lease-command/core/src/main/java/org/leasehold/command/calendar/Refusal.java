package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Choice.Suitors;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability.Opening;

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
                Set<ResourceId> taken = choice.takenByOthers(place);
                shortages.add(
                        switch (wanted.demand()) {
                            case Demand.Whole _ when !suitors.lost().isEmpty() ->
                                    lost(wanted, suitors);
                            case Demand.Whole demand -> tooFew(wanted, demand, suitors, taken);
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

    private Shortage tooFew(
            Wanted wanted, Demand.Whole demand, Suitors suitors, Set<ResourceId> takenByOthers) {
        LeasePeriod window = choosing.window(wanted);
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
    private FreeTime freeTime(Demand.Whole demand, List<ResourceId> usable) {
        List<ResourceId> required =
                choice.inventory().required(demand).stream().filter(usable::contains).toList();
        return required.size() < demand.required().size()
                ? FreeTime.of(List.of(), List.of())
                : FreeTime.of(usable, survey.claims())
                        .whileFree(FreeTime.of(required, survey.claims()));
    }

    /** A running reservation keeps its slots where they are, and gets more only where it may. */
    private Shortage tooLittle(int place, Wanted wanted, Demand.Shared demand) {
        LeasePeriod window = choosing.window(wanted);
        List<KnownResource> matching = choice.inventory().candidates(demand);
        List<Claim> claims = new ArrayList<>(survey.claims());
        claims.addAll(choice.claimsOfOthers(place, choosing::window));
        List<KnownResource> usable =
                matching.stream()
                        .filter(resource -> !wanted.running() || mayHave(wanted, demand, resource))
                        .toList();
        SharedTime time = new SharedTime(demand, usable, claims);
        FreeTime.Part part = time.scarcest(window);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.slots(),
                new SharedTime(demand, matching, List.of()).throughout(window),
                time.throughout(window),
                part.period(),
                part.free(),
                wanted.running()
                        ? null
                        : firstStart(
                                time.openings(
                                        window.length(),
                                        window.start(),
                                        window.start().plus(HORIZON),
                                        1)));
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

    private boolean isUsableNow(ResourceId id, Suitors suitors) {
        return suitors.fixed().contains(id) || !survey.held().contains(id);
    }

    private static @Nullable Instant nextStart(FreeTime time, int wanted, LeasePeriod window) {
        return firstStart(
                time.openings(
                        wanted, window.length(), window.start(), window.start().plus(HORIZON), 1));
    }

    private static @Nullable Instant firstStart(List<Opening> openings) {
        return openings.stream().map(opening -> opening.starts().start()).findFirst().orElse(null);
    }
}
