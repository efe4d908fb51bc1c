package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Choice.Suitors;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Chooses resources for all reservations of a request together. */
final class Choosing {

    private final Claims claims;
    private final Hold request;
    private final Map<ReservationId, List<Claim>> before;

    /** Takes what the reservations had claimed before the request; it counts as free. */
    Choosing(Claims claims, Hold request, Map<ReservationId, List<Claim>> before) {
        this.claims = claims;
        this.request = request;
        this.before = before;
    }

    Snapshot.Question question() {
        return new Snapshot.Question(
                request.wanted().stream().map(this::window).collect(Collectors.toSet()),
                request.wanted().stream().anyMatch(Wanted::running),
                request.wanted().stream()
                        .anyMatch(w -> w.demand().selection() == Demand.Selection.SPREAD));
    }

    LeasePeriod window(Wanted wanted) {
        return claims.toClaim(wanted.period());
    }

    /**
     * Chooses among all that there is.
     *
     * @param spare how many more than are wanted are looked for; of many thousand free resources a
     *     few are enough
     */
    Choice choose(Inventory inventory, Occupation occupation, int spare) {
        // With as many options as all reservations want together, one never takes another's last.
        long enough = spare + request.wanted().stream().mapToLong(w -> w.demand().maximum()).sum();
        List<Suitors> suitors = new ArrayList<>();
        // What one of them runs on is no other's to ask for by name, nor is what another one did.
        Set<ResourceId> fixed =
                request.wanted().stream()
                        .filter(Wanted::running)
                        .flatMap(wanted -> wanted.current().stream())
                        .collect(Collectors.toCollection(HashSet::new));
        for (Wanted wanted : request.wanted()) {
            List<ResourceId> required =
                    inventory.required(wanted.demand()).stream()
                            .filter(id -> !fixed.contains(id))
                            .toList();
            Suitors found =
                    wanted.running()
                            ? forRunning(wanted, required, inventory, occupation)
                            : forPlanned(wanted, required, inventory, occupation, enough);
            fixed.addAll(found.fixed());
            suitors.add(found);
        }
        List<Allotment.Seeker> seekers = new ArrayList<>();
        for (int i = 0; i < suitors.size(); i++) {
            Demand demand = request.wanted().get(i).demand();
            List<ResourceId> options =
                    suitors.get(i).options().stream().filter(id -> !fixed.contains(id)).toList();
            seekers.add(
                    new Allotment.Seeker(
                            demand.minimum(), demand.maximum(), suitors.get(i).fixed(), options));
        }
        return new Choice(inventory, request.wanted(), suitors, Allotment.of(seekers));
    }

    private Suitors forPlanned(
            Wanted wanted,
            List<ResourceId> required,
            Inventory inventory,
            Occupation occupation,
            long enough) {
        LeasePeriod window = window(wanted);
        Demand demand = wanted.demand();
        Stream<ResourceId> options =
                inOrder(
                        inventory.matching(demand.kind(), demand.requirement()).stream()
                                .map(KnownResource::id)
                                .filter(id -> occupation.isFree(id, window)),
                        demand.selection(),
                        occupation);
        List<ResourceId> current = wanted.current();
        if (!current.isEmpty()) {
            // Whoever has resources already is spared a move.
            options =
                    options.sorted(
                            Comparator.comparingInt(
                                    id ->
                                            current.contains(id)
                                                    ? current.indexOf(id)
                                                    : current.size()));
        }
        List<ResourceId> fixed =
                required.stream().filter(id -> occupation.isFree(id, window)).toList();
        return new Suitors(fixed, List.of(), Set.of(), options.limit(enough).toList());
    }

    private Suitors forRunning(
            Wanted wanted, List<ResourceId> required, Inventory inventory, Occupation occupation) {
        LeasePeriod window = window(wanted);
        Demand demand = wanted.demand();
        Set<ResourceId> promised = promised(wanted, window);
        List<ResourceId> kept = new ArrayList<>();
        List<ResourceId> lost = new ArrayList<>();
        Predicate<KnownResource> canStay =
                resource ->
                        occupation.isFree(resource.id(), window)
                                && (resource.enrolled() || promised.contains(resource.id()));
        wanted.current().stream()
                .flatMap(id -> inventory.find(id).stream())
                .filter(r -> Inventory.meets(r, demand.kind(), demand.requirement()))
                // Who gives some back gives back what it could not keep anyway, and never what it
                // asked for by name.
                .sorted(
                        Comparator.comparing(
                                        (KnownResource r) ->
                                                !demand.required().contains(r.allocation().name()))
                                .thenComparing(canStay.negate()::test))
                .limit(demand.maximum())
                .forEach(r -> (canStay.test(r) ? kept : lost).add(r.id()));
        Predicate<ResourceId> joins =
                id ->
                        occupation.isFree(id, window)
                                && !occupation.isHeld(id)
                                && !wanted.current().contains(id);
        required.stream().filter(joins).forEach(kept::add);
        Stream<ResourceId> joining =
                inOrder(
                        inventory.matching(demand.kind(), demand.requirement()).stream()
                                .map(KnownResource::id)
                                .filter(joins),
                        demand.selection(),
                        occupation);
        return new Suitors(kept, lost, promised, joining.toList());
    }

    /** A resource that went out of service is promised nothing new, but keeps its old promise. */
    private Set<ResourceId> promised(Wanted wanted, LeasePeriod window) {
        return before.getOrDefault(wanted.reservation(), List.of()).stream()
                .filter(claim -> !window.start().isBefore(claim.during().start()))
                .filter(claim -> !window.end().isAfter(claim.during().end()))
                .map(Claim::resource)
                .collect(Collectors.toSet());
    }

    private static Stream<ResourceId> inOrder(
            Stream<ResourceId> byId, Demand.Selection selection, Occupation occupation) {
        return switch (selection) {
            case FIRST_FIT -> byId;
            case SPREAD -> byId.sorted(Comparator.comparingInt(occupation::claimsOn));
        };
    }
}
