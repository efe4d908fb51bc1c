package org.leasehold.command.calendar;

import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What was chosen for the reservations of one request, each at its place.
 *
 * @param suitors what would have done for each
 * @param shares what was chosen of it
 */
record Choice(
        Inventory inventory,
        List<Wanted> wanted,
        List<Suitors> suitors,
        List<List<ResourceId>> shares) {

    /**
     * The resources that would do for one reservation.
     *
     * @param fixed those that it must have: what it runs on and keeps, and what it asked for by
     *     name
     * @param lost those that it runs on and would have to keep, but cannot
     * @param promised those that it may keep although they are out of service
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

    boolean isMet(int place) {
        return suitors.get(place).lost().isEmpty()
                && shares.get(place).size() >= wanted.get(place).demand().minimum()
                && hasRequired(place);
    }

    private boolean hasRequired(int place) {
        List<String> required = wanted.get(place).demand().required();
        return required.isEmpty()
                || shares.get(place).stream()
                        .map(id -> inventory.find(id).orElseThrow().allocation().name())
                        .collect(Collectors.toSet())
                        .containsAll(required);
    }

    Set<ResourceId> takenByOthers(int place) {
        Set<ResourceId> taken = new HashSet<>();
        for (int other = 0; other < shares.size(); other++) {
            if (other != place) {
                taken.addAll(shares.get(other));
            }
        }
        return taken;
    }

    /** The shares, each followed by further options as a reserve, no resource twice. */
    List<List<KnownResource>> withReserve(int reserve) {
        Set<ResourceId> taken = new HashSet<>();
        shares.forEach(taken::addAll);
        List<List<KnownResource>> offers = new ArrayList<>();
        for (int place = 0; place < shares.size(); place++) {
            List<ResourceId> offer = new ArrayList<>(shares.get(place));
            suitors.get(place).options().stream()
                    .filter(option -> !taken.contains(option))
                    .limit(reserve)
                    .forEach(offer::add);
            taken.addAll(offer);
            offers.add(offer.stream().map(id -> inventory.find(id).orElseThrow()).toList());
        }
        return offers;
    }
}
