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
        for (int index = 0; index < wanted.size(); index++) {
            if (!isMet(index)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether each reservation gets its maximum. */
    public boolean isMaximal() {
        for (int index = 0; index < wanted.size(); index++) {
            if (selectedAmount(index) < wanted.get(index).demand().maximum()) {
                return false;
            }
        }
        return true;
    }

    public boolean isMet(int index) {
        return suitors.get(index).lost().isEmpty()
                && selectedAmount(index) >= wanted.get(index).demand().minimum()
                && hasRequired(index);
    }

    private boolean hasRequired(int index) {
        return switch (wanted.get(index).demand()) {
            case Demand.Whole whole ->
                    whole.required().isEmpty()
                            || chosen.get(index).stream()
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
            int index, Demand demand, Predicate<ResourceId> isHeld) {
        List<ResourceId> fixed = suitors.get(index).fixed();
        boolean running = wanted.get(index).running();
        Set<ResourceId> others = new HashSet<>();
        for (int other = 0; other < chosen.size(); other++) {
            if (other != index) {
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

    private int selectedAmount(int index) {
        return switch (wanted.get(index).demand()) {
            case Demand.Whole _ -> chosen.get(index).size();
            case Demand.Shared _ -> parts.get(index).values().stream().mapToInt(Share::slots).sum();
        };
    }

    /**
     * Returns the claims for a reservation of the request: on whole resources, or parts of them.
     */
    public List<Claim> claims(int index, LeasePeriod window) {
        Map<ResourceId, Share> shares = parts.get(index);
        return chosen.get(index).stream().map(id -> new Claim(id, window, shares.get(id))).toList();
    }

    /**
     * Returns the selected resources of each, followed by further options as a reserve, none twice.
     */
    public List<List<CachedResource>> selectedWithReserve(int reserve) {
        Set<ResourceId> taken = new HashSet<>();
        chosen.forEach(taken::addAll);
        List<List<CachedResource>> offers = new ArrayList<>();
        for (int index = 0; index < chosen.size(); index++) {
            List<ResourceId> offer = new ArrayList<>(chosen.get(index));
            suitors.get(index).options().stream()
                    .filter(option -> !taken.contains(option))
                    .limit(reserve)
                    .forEach(offer::add);
            taken.addAll(offer);
            Map<ResourceId, Share> shares = parts.get(index);
            offers.add(offer.stream().map(id -> resourceOrShare(id, shares.get(id))).toList());
        }
        return offers;
    }

    private CachedResource resourceOrShare(ResourceId id, @Nullable Share share) {
        CachedResource whole = inventory.find(id).orElseThrow();
        return share == null ? whole : whole.withShare(share);
    }
}
