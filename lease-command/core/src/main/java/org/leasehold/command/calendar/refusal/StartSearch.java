package org.leasehold.command.calendar.refusal;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.selection.ResourceSelection;
import org.leasehold.command.calendar.selection.SelectedResources;
import org.leasehold.command.calendar.timeline.ClaimedTimes;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.command.calendar.timeline.FreeSlotTimeline;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeasePeriod;

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
import java.util.function.Function;

/**
 * The search for the next starts at which a refused hold could be held. It needs all claims of the
 * time after the windows, so it never runs in the deciding transaction.
 */
public final class StartSearch {

    /** The distance beyond a window's start in which another start is searched. */
    static final Duration HORIZON = Duration.ofDays(30);

    /** The number of different requirements of a request for which another start is searched. */
    static final int MAX_SEARCHES = 3;

    private final ResourceSelection selection;
    private final SelectedResources selectedResources;
    private final CompetingClaims competingClaims;
    private final Map<Integer, FreeResourceTimeline> freeTimes;

    /** Creates a search that has to read claims. */
    StartSearch(ResourceSelection choosing, SelectedResources choice) {
        this(choosing, choice, Map.of());
    }

    /**
     * Creates a search in free times that are known already.
     *
     * @param freeTimes those of usable whole resources, by the index of the reservation that is
     *     short of them; empty if unknown
     */
    StartSearch(
            ResourceSelection choosing,
            SelectedResources choice,
            Map<Integer, FreeResourceTimeline> freeTimes) {
        this.selection = choosing;
        this.selectedResources = choice;
        this.competingClaims = new CompetingClaims(choosing, choice);
        this.freeTimes = freeTimes;
    }

    /** A demand and a window that reservations share; another start is searched once for them. */
    private record Wish(Demand demand, LeasePeriod window) {}

    /**
     * The claims of a search.
     *
     * @param timelineOf returns the free times of whole resources
     * @param freeCapacities the free capacities beside all claims, those of the choice included
     */
    private record Known(
            Function<List<ResourceId>, FreeResourceTimeline> timelineOf,
            FreeCapacities freeCapacities) {}

    /** Returns whether there is a reservation that may start later. */
    boolean hasSearchableDemands() {
        return !searchableIndexes().isEmpty();
    }

    /** Returns whether the search needs no further claims. */
    boolean hasFreeTimes() {
        return freeTimes.keySet().containsAll(searchableIndexes());
    }

    /** Returns whether memory suffices: there, the earlier claims of the hold count as claimed. */
    boolean isMemorySufficient() {
        return selection.request().isFresh();
    }

    /** Adds the starts to the shortages, from memory. */
    List<Shortage> addNextStarts(List<Shortage> shortages, ClaimIndex index) {
        LeasePeriod span = span();
        return addNextStarts(
                shortages,
                new Known(
                        resources -> FreeResourceTimeline.of(resources, index::slots),
                        competingClaims.addTo(
                                new FreeCapacities(
                                        resource -> index.findTouching(List.of(resource), span)))));
    }

    /**
     * Adds the starts to the shortages, by one look at the tables.
     *
     * @param own claims in the tables that count as free
     */
    public List<Shortage> addNextStarts(
            List<Shortage> shortages, Claims claims, Collection<Claim> own) {
        if (!hasSearchableDemands()) {
            return shortages;
        }
        List<Claim> claimed = without(own, claims.survey(span(), candidates()).claims());
        Map<ResourceId, ClaimedTimes> slots = FreeResourceTimeline.claimedTimesByResource(claimed);
        return addNextStarts(
                shortages,
                new Known(
                        resources -> FreeResourceTimeline.of(resources, slots),
                        competingClaims.addTo(new FreeCapacities(claimed))));
    }

    /** Returns the claims without one for each removed claim: claims on shares may be equal. */
    private static List<Claim> without(Collection<Claim> removed, List<Claim> all) {
        Map<Claim, Integer> left = new HashMap<>();
        removed.forEach(claim -> left.merge(claim, 1, Integer::sum));
        return all.stream().filter(claim -> left.merge(claim, -1, Integer::sum) < 0).toList();
    }

    private List<Shortage> addNextStarts(List<Shortage> shortages, Known known) {
        Map<Wish, Optional<Instant>> starts = new HashMap<>();
        List<Integer> searched = searchableIndexes();
        List<Shortage> complete = new ArrayList<>();
        int next = 0;
        for (int index = 0; index < selectedResources.wanted().size(); index++) {
            if (!selectedResources.isMet(index)) {
                Shortage shortage = shortages.get(next++);
                complete.add(
                        searched.contains(index)
                                ? shortage.withNextStart(firstStart(index, starts, known))
                                : shortage);
            }
        }
        return complete;
    }

    /**
     * Returns the indexes of the reservations that are short and may start later: a running
     * reservation cannot.
     */
    private List<Integer> searchableIndexes() {
        List<Integer> indexes = new ArrayList<>();
        for (int index = 0; index < selectedResources.wanted().size(); index++) {
            if (!selectedResources.isMet(index) && !wanted(index).running()) {
                indexes.add(index);
            }
        }
        return indexes;
    }

    private Wanted wanted(int index) {
        return selectedResources.wanted().get(index);
    }

    private LeasePeriod span() {
        LeasePeriod hull =
                Claims.hull(
                        searchableIndexes().stream()
                                .map(index -> selection.claimWindow(wanted(index)))
                                .toList());
        return new LeasePeriod(hull.start(), hull.end().plus(HORIZON));
    }

    private Set<ResourceId> candidates() {
        Set<ResourceId> candidates = new HashSet<>();
        for (int index : searchableIndexes()) {
            candidates.addAll(
                    selectedResources.inventory().findCandidateIds(wanted(index).demand()));
        }
        return candidates;
    }

    private @Nullable Instant firstStart(
            int index, Map<Wish, Optional<Instant>> starts, Known known) {
        LeasePeriod window = selection.claimWindow(wanted(index));
        Wish wish = new Wish(wanted(index).demand(), window);
        if (!starts.containsKey(wish)) {
            if (starts.size() == MAX_SEARCHES) {
                return null;
            }
            starts.put(
                    wish,
                    openings(index, window, known).stream()
                            .map(opening -> opening.starts().start())
                            .findFirst());
        }
        return Objects.requireNonNull(starts.get(wish)).orElse(null);
    }

    private List<Opening> openings(int index, LeasePeriod window, Known known) {
        Instant last = window.start().plus(HORIZON);
        return switch (wanted(index).demand()) {
            case Demand.Whole demand ->
                    freeTime(index, demand, known)
                            .openings(demand.minimum(), window.length(), window.start(), last, 1);
            case Demand.Shared demand ->
                    new FreeSlotTimeline(
                                    demand,
                                    selectedResources.inventory().findCandidates(demand),
                                    competingClaims.withoutOwn(known.freeCapacities(), index))
                            .openings(window.length(), window.start(), last, 1);
        };
    }

    private FreeResourceTimeline freeTime(int index, Demand.Whole demand, Known known) {
        FreeResourceTimeline time = freeTimes.get(index);
        return time != null
                ? time
                : selectedResources.freeTime(
                        demand,
                        selectedResources.usableResources(index, demand, _ -> false),
                        known.timelineOf());
    }
}
