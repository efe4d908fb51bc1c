package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability.Opening;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The search for the next starts at which a refused hold could be held. It needs all claims of the
 * time after the windows, so it never runs in the deciding transaction.
 */
final class StartSearch {

    /** How far beyond a window's start another start is looked for. */
    static final Duration HORIZON = Duration.ofDays(30);

    /** For so many different wishes of a request another start is looked for. */
    static final int SEARCHES = 3;

    private final Choosing choosing;
    private final Choice choice;

    StartSearch(Choosing choosing, Choice choice) {
        this.choosing = choosing;
        this.choice = choice;
    }

    /** What reservations have in common for which another start is looked for once. */
    private record Wish(Demand demand, LeasePeriod window) {}

    /** The claims that a search reads. */
    private interface Known {

        FreeTime of(List<ResourceId> resources);

        /** The rooms beside all claims, and beside all that was chosen. */
        Rooms rooms();
    }

    /** Whether there is a reservation that may start later. */
    boolean isWorthwhile() {
        return !places().isEmpty();
    }

    /** Whether memory, which knows neither shares nor what the hold itself had, is enough. */
    boolean needsNoTables() {
        return choosing.isFresh()
                && places().stream()
                        .allMatch(place -> wanted(place).demand() instanceof Demand.Whole);
    }

    /** Adds the starts to the shortages, by what memory knows. */
    List<Shortage> complete(List<Shortage> shortages, ClaimIndex index) {
        return complete(
                shortages,
                new Known() {
                    @Override
                    public FreeTime of(List<ResourceId> resources) {
                        return FreeTime.of(resources, index);
                    }

                    @Override
                    public Rooms rooms() {
                        throw new IllegalStateException("memory does not know shares");
                    }
                });
    }

    /**
     * Adds the starts to the shortages, by one look at the tables.
     *
     * @param own claims in the tables that count as free
     */
    List<Shortage> complete(List<Shortage> shortages, Claims claims, Collection<Claim> own) {
        if (!isWorthwhile()) {
            return shortages;
        }
        List<Claim> claimed = without(own, claims.survey(span(), candidates()).claims());
        Map<ResourceId, Slots> slots = FreeTime.slots(claimed);
        Rooms rooms = new Rooms(claimed);
        for (int place = 0; place < choice.wanted().size(); place++) {
            chosen(place).forEach(rooms::add);
        }
        return complete(
                shortages,
                new Known() {
                    @Override
                    public FreeTime of(List<ResourceId> resources) {
                        return FreeTime.of(resources, slots);
                    }

                    @Override
                    public Rooms rooms() {
                        return rooms;
                    }
                });
    }

    /** All claims but one for each of some: claims on shares may be alike. */
    private static List<Claim> without(Collection<Claim> some, List<Claim> all) {
        Map<Claim, Integer> left = new HashMap<>();
        some.forEach(claim -> left.merge(claim, 1, Integer::sum));
        return all.stream().filter(claim -> left.merge(claim, -1, Integer::sum) < 0).toList();
    }

    private List<Shortage> complete(List<Shortage> shortages, Known known) {
        Map<Wish, Optional<Instant>> starts = new HashMap<>();
        List<Integer> searched = places();
        List<Shortage> complete = new ArrayList<>();
        int next = 0;
        for (int place = 0; place < choice.wanted().size(); place++) {
            if (!choice.isMet(place)) {
                Shortage shortage = shortages.get(next++);
                complete.add(
                        searched.contains(place)
                                ? shortage.withNextStart(firstStart(place, starts, known))
                                : shortage);
            }
        }
        return complete;
    }

    /** The places that are short and may start later: what runs cannot. */
    private List<Integer> places() {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < choice.wanted().size(); place++) {
            if (!choice.isMet(place) && !wanted(place).running()) {
                places.add(place);
            }
        }
        return places;
    }

    private Wanted wanted(int place) {
        return choice.wanted().get(place);
    }

    private LeasePeriod span() {
        LeasePeriod hull =
                Claims.hull(
                        places().stream().map(place -> choosing.window(wanted(place))).toList());
        return new LeasePeriod(hull.start(), hull.end().plus(HORIZON));
    }

    private Set<ResourceId> candidates() {
        Set<ResourceId> candidates = new HashSet<>();
        places().forEach(
                        place ->
                                choice.inventory().candidates(wanted(place).demand()).stream()
                                        .map(KnownResource::id)
                                        .forEach(candidates::add));
        return candidates;
    }

    private List<Claim> chosen(int place) {
        return choice.claims(place, choosing.window(wanted(place)));
    }

    private @Nullable Instant firstStart(
            int place, Map<Wish, Optional<Instant>> starts, Known known) {
        LeasePeriod window = choosing.window(wanted(place));
        Wish wish = new Wish(wanted(place).demand(), window);
        if (!starts.containsKey(wish)) {
            if (starts.size() == SEARCHES) {
                return null;
            }
            starts.put(
                    wish,
                    openings(place, window, known).stream()
                            .map(opening -> opening.starts().start())
                            .findFirst());
        }
        return Objects.requireNonNull(starts.get(wish)).orElse(null);
    }

    private List<Opening> openings(int place, LeasePeriod window, Known known) {
        Instant last = window.start().plus(HORIZON);
        return switch (wanted(place).demand()) {
            case Demand.Whole demand ->
                    choice.freeTime(demand, choice.usable(place, demand, _ -> false), known::of)
                            .openings(demand.minimum(), window.length(), window.start(), last, 1);
            case Demand.Shared demand ->
                    new SharedTime(
                                    demand,
                                    choice.inventory().candidates(demand),
                                    known.rooms().without(chosen(place)))
                            .openings(window.length(), window.start(), last, 1);
        };
    }
}
