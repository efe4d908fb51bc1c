package org.leasehold.command.calendar.selection;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The selected resources for the reservations of one request, each at its place.
 *
 * @param suitors the suitable resources for each
 * @param chosen the selected ones of these
 * @param parts the selected shares for each reservation that does not request whole resources
 */
public record SelectedResources(
        InventorySnapshot inventory,
        List<Wanted> wanted,
        List<Suitors> suitors,
        List<List<ResourceId>> chosen,
        List<Map<ResourceId, Share>> parts) {

    /**
     * The suitable resources for one reservation.
     *
     * @param fixed those that it must have: those that it runs on and keeps, and those that it
     *     requested by name
     * @param lost those that it runs on and would have to keep, but cannot
     * @param promised those that it may keep in any state
     * @param options other suitable ones, the preferred ones first
     */
    public record Suitors(
            List<ResourceId> fixed,
            List<ResourceId> lost,
            Set<ResourceId> promised,
            List<ResourceId> options) {}

    /** Returns the choice of nothing, for one reservation that has nothing yet. */
    public static SelectedResources nothing(InventorySnapshot inventory, Wanted wanted) {
        return new SelectedResources(
                inventory,
                List.of(wanted),
                List.of(new Suitors(List.of(), List.of(), Set.of(), List.of())),
                List.of(List.of()),
                List.of(Map.of()));
    }

    public boolean isComplete() {
        for (int place = 0; place < wanted.size(); place++) {
            if (!isMet(place)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether each reservation gets its maximum. */
    public boolean isMaximal() {
        for (int place = 0; place < wanted.size(); place++) {
            if (selectedAmount(place) < wanted.get(place).demand().maximum()) {
                return false;
            }
        }
        return true;
    }

    public boolean isMet(int place) {
        return suitors.get(place).lost().isEmpty()
                && selectedAmount(place) >= wanted.get(place).demand().minimum()
                && hasRequired(place);
    }

    private boolean hasRequired(int place) {
        return switch (wanted.get(place).demand()) {
            case Demand.Whole whole ->
                    whole.required().isEmpty()
                            || chosen.get(place).stream()
                                    .map(id -> inventory.find(id).orElseThrow().allocation().name())
                                    .collect(Collectors.toSet())
                                    .containsAll(whole.required());
            case Demand.Shared _ -> true;
        };
    }

    /**
     * Returns the resources that meet the demand at a place and were not selected for another
     * place. A running reservation uses no resource that has another holder.
     */
    public List<ResourceId> usableResources(
            int place, Demand demand, Predicate<ResourceId> isHeld) {
        List<ResourceId> fixed = suitors.get(place).fixed();
        boolean running = wanted.get(place).running();
        Set<ResourceId> others = new HashSet<>();
        for (int other = 0; other < chosen.size(); other++) {
            if (other != place) {
                others.addAll(chosen.get(other));
            }
        }
        List<ResourceId> candidates = inventory.findCandidateIds(demand);
        if (others.isEmpty() && !running) {
            return candidates;
        }
        return candidates.stream()
                .filter(id -> !others.contains(id))
                .filter(id -> !running || fixed.contains(id) || !isHeld.test(id))
                .toList();
    }

    /**
     * Returns the times at which usable resources are free for a demand. They are useless without
     * those that it requires by name.
     *
     * @param known the free times of resources as such
     */
    public FreeResourceTimeline freeTime(
            Demand.Whole demand,
            List<ResourceId> usable,
            Function<List<ResourceId>, FreeResourceTimeline> known) {
        List<ResourceId> required =
                inventory.findRequired(demand).stream().filter(usable::contains).toList();
        return required.size() < demand.required().size()
                ? known.apply(List.of())
                : known.apply(usable).limitedTo(known.apply(required));
    }

    private int selectedAmount(int place) {
        return switch (wanted.get(place).demand()) {
            case Demand.Whole _ -> chosen.get(place).size();
            case Demand.Shared _ -> parts.get(place).values().stream().mapToInt(Share::slots).sum();
        };
    }

    /**
     * Returns the claims for a reservation of the request: on whole resources, or parts of them.
     */
    public List<Claim> claims(int place, LeasePeriod window) {
        Map<ResourceId, Share> its = parts.get(place);
        return chosen.get(place).stream().map(id -> new Claim(id, window, its.get(id))).toList();
    }

    /**
     * Returns the selected resources of each, followed by further options as a reserve, none twice.
     */
    public List<List<CachedResource>> selectedWithReserve(int reserve) {
        Set<ResourceId> taken = new HashSet<>();
        chosen.forEach(taken::addAll);
        List<List<CachedResource>> offers = new ArrayList<>();
        for (int place = 0; place < chosen.size(); place++) {
            List<ResourceId> offer = new ArrayList<>(chosen.get(place));
            suitors.get(place).options().stream()
                    .filter(option -> !taken.contains(option))
                    .limit(reserve)
                    .forEach(offer::add);
            taken.addAll(offer);
            Map<ResourceId, Share> its = parts.get(place);
            offers.add(offer.stream().map(id -> resourceOrShare(id, its.get(id))).toList());
        }
        return offers;
    }

    private CachedResource resourceOrShare(ResourceId id, @Nullable Share share) {
        CachedResource whole = inventory.find(id).orElseThrow();
        return share == null ? whole : whole.withShare(share);
    }
}
