package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.Share;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What was chosen for the reservations of one request, each at its place.
 *
 * @param suitors what would have done for each
 * @param chosen what was chosen of it
 * @param parts of those that do not want whole resources: what was chosen of each
 */
record Choice(
        Inventory inventory,
        List<Wanted> wanted,
        List<Suitors> suitors,
        List<List<ResourceId>> chosen,
        List<Map<ResourceId, Share>> parts) {

    /**
     * The resources that would do for one reservation.
     *
     * @param fixed those that it must have: what it runs on and keeps, and what it asked for by
     *     name
     * @param lost those that it runs on and would have to keep, but cannot
     * @param promised those that it may keep whatever has become of them
     * @param options what else would do, the most welcome first
     */
    record Suitors(
            List<ResourceId> fixed,
            List<ResourceId> lost,
            Set<ResourceId> promised,
            List<ResourceId> options) {}

    boolean isComplete() {
        for (int place = 0; place < wanted.size(); place++) {
            if (!isMet(place)) {
                return false;
            }
        }
        return true;
    }

    /** Whether each reservation gets as much as it wants at most. */
    boolean isFull() {
        for (int place = 0; place < wanted.size(); place++) {
            if (amount(place) < wanted.get(place).demand().maximum()) {
                return false;
            }
        }
        return true;
    }

    boolean isMet(int place) {
        return suitors.get(place).lost().isEmpty()
                && amount(place) >= wanted.get(place).demand().minimum()
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
     * The resources that meet the demand at a place and were not chosen for another place. A
     * running reservation uses nothing that others have in their hands.
     */
    List<ResourceId> usable(int place, Demand demand, Predicate<ResourceId> isHeld) {
        List<ResourceId> fixed = suitors.get(place).fixed();
        boolean running = wanted.get(place).running();
        Set<ResourceId> others = new HashSet<>();
        for (int other = 0; other < chosen.size(); other++) {
            if (other != place) {
                others.addAll(chosen.get(other));
            }
        }
        return inventory.candidates(demand).stream()
                .map(KnownResource::id)
                .filter(id -> !others.contains(id))
                .filter(id -> !running || fixed.contains(id) || !isHeld.test(id))
                .toList();
    }

    /**
     * When usable resources are free for a demand. They are of no use without those that it asks
     * for by name.
     *
     * @param known when resources are free as such
     */
    FreeTime freeTime(
            Demand.Whole demand,
            List<ResourceId> usable,
            Function<List<ResourceId>, FreeTime> known) {
        List<ResourceId> required =
                inventory.required(demand).stream().filter(usable::contains).toList();
        return required.size() < demand.required().size()
                ? known.apply(List.of())
                : known.apply(usable).whileFree(known.apply(required));
    }

    private int amount(int place) {
        return switch (wanted.get(place).demand()) {
            case Demand.Whole _ -> chosen.get(place).size();
            case Demand.Shared _ -> parts.get(place).values().stream().mapToInt(Share::slots).sum();
        };
    }

    /** What a reservation of the request is given: whole resources, or parts of them. */
    List<Claim> claims(int place, LeasePeriod window) {
        Map<ResourceId, Share> its = parts.get(place);
        return chosen.get(place).stream().map(id -> new Claim(id, window, its.get(id))).toList();
    }

    /** What was chosen, each followed by further options as a reserve, no resource twice. */
    List<List<KnownResource>> withReserve(int reserve) {
        Set<ResourceId> taken = new HashSet<>();
        chosen.forEach(taken::addAll);
        List<List<KnownResource>> offers = new ArrayList<>();
        for (int place = 0; place < chosen.size(); place++) {
            List<ResourceId> offer = new ArrayList<>(chosen.get(place));
            suitors.get(place).options().stream()
                    .filter(option -> !taken.contains(option))
                    .limit(reserve)
                    .forEach(offer::add);
            taken.addAll(offer);
            Map<ResourceId, Share> its = parts.get(place);
            offers.add(offer.stream().map(id -> known(id, its.get(id))).toList());
        }
        return offers;
    }

    private KnownResource known(ResourceId id, @Nullable Share share) {
        KnownResource whole = inventory.find(id).orElseThrow();
        return share == null ? whole : whole.part(share);
    }
}
