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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Explains why a choice is incomplete, by the snapshot that it was made on. */
final class Refusal {

    /** How far beyond a window's start another start is looked for. */
    static final Duration HORIZON = Duration.ofDays(30);

    /**
     * For so many different wishes another start is looked for, which is by far the most work. More
     * would keep all other commands waiting.
     */
    static final int SEARCHES = 3;

    private final Choosing choosing;
    private final Choice choice;
    private final Claims.Survey survey;
    private final Map<ResourceId, Slots> claimed;

    /** What is claimed, together with all that was chosen. */
    private final Rooms rooms;

    /** The same, but only what touches the windows. */
    private final Rooms roomsInWindows;

    /** Which resources were chosen, for how many reservations. */
    private final Map<ResourceId, Integer> taken = new HashMap<>();

    private final Map<Wish, Optional<Instant>> starts = new HashMap<>();

    Refusal(Choosing choosing, Choice choice, Claims.Survey survey) {
        this.choosing = choosing;
        this.choice = choice;
        this.survey = survey;
        claimed = FreeTime.slots(survey.claims());
        rooms = new Rooms(survey.claims());
        LeasePeriod windows = Claims.hull(choice.wanted().stream().map(choosing::window).toList());
        roomsInWindows =
                new Rooms(
                        survey.claims().stream()
                                .filter(claim -> claim.during().overlaps(windows))
                                .toList());
        for (int place = 0; place < choice.wanted().size(); place++) {
            for (Claim claim : chosen(place)) {
                rooms.add(claim);
                roomsInWindows.add(claim);
            }
            choice.chosen().get(place).forEach(id -> taken.merge(id, 1, Integer::sum));
        }
    }

    /** What reservations have in common for which another start is looked for once. */
    private record Wish(Demand demand, LeasePeriod window) {}

    private List<Claim> chosen(int place) {
        return choice.claims(place, choosing.window(choice.wanted().get(place)));
    }

    private boolean isOthers(int place, ResourceId id) {
        int own = choice.chosen().get(place).contains(id) ? 1 : 0;
        return taken.getOrDefault(id, 0) > own;
    }

    private @Nullable Instant firstStart(
            Wanted wanted, Function<LeasePeriod, List<Opening>> search) {
        if (wanted.running()) {
            return null;
        }
        LeasePeriod window = choosing.window(wanted);
        Wish wish = new Wish(wanted.demand(), window);
        if (!starts.containsKey(wish)) {
            if (starts.size() == SEARCHES) {
                return null;
            }
            starts.put(
                    wish,
                    search.apply(window).stream()
                            .map(opening -> opening.starts().start())
                            .findFirst());
        }
        return Objects.requireNonNull(starts.get(wish)).orElse(null);
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
        Suitors suitors = choice.suitors().get(place);
        LeasePeriod window = choosing.window(wanted);
        List<ResourceId> matching =
                choice.inventory().matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .toList();
        List<ResourceId> usable =
                matching.stream()
                        .filter(id -> !isOthers(place, id))
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
                firstStart(
                        wanted,
                        its ->
                                time.openings(
                                        demand.minimum(),
                                        its.length(),
                                        its.start(),
                                        its.start().plus(HORIZON),
                                        1)));
    }

    /** Others are of no use without those that were asked for by name. */
    private FreeTime freeTime(Demand.Whole demand, List<ResourceId> usable) {
        List<ResourceId> required =
                choice.inventory().required(demand).stream().filter(usable::contains).toList();
        return required.size() < demand.required().size()
                ? FreeTime.of(List.of(), List.of())
                : FreeTime.of(usable, claimed).whileFree(FreeTime.of(required, claimed));
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
        SharedTime time = new SharedTime(demand, usable, roomsInWindows.without(own));
        FreeTime.Part part = time.scarcest(window);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.slots(),
                new SharedTime(demand, matching, List.of()).throughout(window),
                time.throughout(window),
                part.period(),
                part.free(),
                firstStart(
                        wanted,
                        its ->
                                new SharedTime(demand, usable, rooms.without(own))
                                        .openings(
                                                its.length(),
                                                its.start(),
                                                its.start().plus(HORIZON),
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
}
