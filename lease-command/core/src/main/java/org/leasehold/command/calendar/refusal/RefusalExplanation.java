package org.leasehold.command.calendar.refusal;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.selection.ResourceSelection;
import org.leasehold.command.calendar.selection.SelectedResources;
import org.leasehold.command.calendar.selection.SelectedResources.Suitors;
import org.leasehold.command.calendar.timeline.ClaimedTimes;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline;
import org.leasehold.command.calendar.timeline.FreeSlotTimeline;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Explains why a choice is incomplete, from the snapshot of that choice, which ends with the
 * windows. {@link StartSearch} looks beyond them.
 */
final class RefusalExplanation {

    private final ResourceSelection resourceSelection;
    private final SelectedResources selectedResources;
    private final Claims.Survey survey;
    private final Function<List<ResourceId>, FreeResourceTimeline> timelineOf;

    /** The number of claims that the rest of the explanation may examine. */
    private int remainingClaims;

    private final CompetingClaims competingClaims;

    /** The capacity beside all claims, those of the choice included. */
    private final FreeCapacities remainingCapacities;

    private final Map<Integer, FreeResourceTimeline> freeTimes = new HashMap<>();

    private RefusalExplanation(
            ResourceSelection choosing,
            SelectedResources choice,
            Claims.Survey survey,
            Function<List<ResourceId>, FreeResourceTimeline> timelineOf,
            int maxClaims) {
        this.resourceSelection = choosing;
        this.selectedResources = choice;
        this.survey = survey;
        this.timelineOf = timelineOf;
        this.remainingClaims = maxClaims;
        competingClaims = new CompetingClaims(choosing, choice);
        remainingCapacities = competingClaims.addTo(new FreeCapacities(survey.claims()));
    }

    static RefusalExplanation fromSurvey(
            ResourceSelection choosing, SelectedResources choice, Claims.Survey survey) {
        Map<ResourceId, ClaimedTimes> claimed =
                FreeResourceTimeline.claimedTimesByResource(survey.claims());
        return new RefusalExplanation(
                choosing,
                choice,
                survey,
                resources -> FreeResourceTimeline.of(resources, claimed),
                Integer.MAX_VALUE);
    }

    /**
     * Explains a choice of whole resources for reservations that have no claims yet.
     *
     * @param maxClaims the number of claims, of all windows, beyond which no part of a window is
     *     called the scarcest
     */
    static RefusalExplanation fromMemory(
            ResourceSelection choosing,
            SelectedResources choice,
            CalendarMemory memory,
            long position,
            int maxClaims) {
        return new RefusalExplanation(
                choosing,
                choice,
                new Claims.Survey(
                        choice.inventory().version(), position, Set.of(), Set.of(), List.of()),
                resources -> FreeResourceTimeline.of(resources, memory.index()::slots),
                maxClaims);
    }

    /** Returns, after the explanation, the free times by the places that are short of resources. */
    Map<Integer, FreeResourceTimeline> freeTimes() {
        return freeTimes;
    }

    Grant.HoldRefused explain() {
        List<Shortage> shortages = new ArrayList<>();
        for (int index = 0; index < selectedResources.wanted().size(); index++) {
            if (!selectedResources.isMet(index)) {
                Wanted wanted = selectedResources.wanted().get(index);
                Suitors suitors = selectedResources.suitors().get(index);
                shortages.add(
                        switch (wanted.demand()) {
                            case Demand.Whole _ when !suitors.lost().isEmpty() ->
                                    explainLost(wanted, suitors);
                            case Demand.Whole demand ->
                                    explainResourceShortage(index, wanted, demand);
                            case Demand.Shared demand -> explainSlotShortage(index, wanted, demand);
                        });
            }
        }
        return new Grant.HoldRefused(shortages, survey.position());
    }

    /** Explains a lost resource: a running reservation needs exactly its resources, and now. */
    private Shortage explainLost(Wanted wanted, Suitors suitors) {
        List<ResourceId> needed =
                Stream.concat(suitors.fixed().stream(), suitors.lost().stream()).toList();
        FreeResourceTimeline.Part part =
                timelineOf.apply(needed).scarcestPart(resourceSelection.claimWindow(wanted));
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

    private Shortage explainResourceShortage(int index, Wanted wanted, Demand.Whole demand) {
        LeasePeriod window = resourceSelection.claimWindow(wanted);
        List<ResourceId> usable =
                selectedResources.usableResources(index, demand, survey.held()::contains);
        FreeResourceTimeline time = selectedResources.freeTime(demand, usable, timelineOf);
        freeTimes.put(index, time);
        FreeResourceTimeline.FreeCounts counts = time.countFree(window, remainingClaims);
        remainingClaims = Math.max(0, remainingClaims - counts.claims());
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.minimum(),
                selectedResources.inventory().findCandidates(demand).size(),
                counts.freeThroughout(),
                counts.scarcest().period(),
                counts.scarcest().free(),
                null);
    }

    /**
     * Explains a shortage of slots. A running reservation keeps its slots where they are, and gets
     * more only where it may.
     */
    private Shortage explainSlotShortage(int index, Wanted wanted, Demand.Shared demand) {
        LeasePeriod window = resourceSelection.claimWindow(wanted);
        List<CachedResource> matching = selectedResources.inventory().findCandidates(demand);
        List<CachedResource> usable =
                matching.stream()
                        .filter(resource -> !wanted.running() || mayUse(wanted, demand, resource))
                        .toList();
        FreeSlotTimeline time =
                new FreeSlotTimeline(
                        demand, usable, competingClaims.withoutOwn(remainingCapacities, index));
        FreeResourceTimeline.Part part = time.scarcestPart(window);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.slots(),
                (wanted.running() ? new FreeSlotTimeline(demand, matching, List.of()) : time)
                        .countWithoutClaims(),
                time.countFreeThroughout(window),
                part.period(),
                part.free(),
                null);
    }

    private boolean mayUse(Wanted wanted, Demand.Shared demand, CachedResource resource) {
        boolean isCurrent = wanted.current().contains(resource.id());
        return switch (demand.spread()) {
            case ANYWHERE, APART -> isCurrent || !survey.heldWhole().contains(resource.id());
            case TOGETHER ->
                    isCurrent
                            || (wanted.current().isEmpty()
                                    && !survey.heldWhole().contains(resource.id()));
        };
    }
}
