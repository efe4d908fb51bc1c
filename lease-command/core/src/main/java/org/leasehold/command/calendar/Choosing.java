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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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

    /** The avoided ones are taken only if others will not do. */
    Choice choose(Inventory inventory, Snapshot snapshot, Set<ResourceId> avoided) {
        List<Suitors> suitors = new ArrayList<>();
        Set<ResourceId> fixed = new HashSet<>();
        for (Wanted wanted : request.wanted()) {
            Suitors found =
                    wanted.running()
                            ? forRunning(wanted, inventory, snapshot)
                            : forPlanned(wanted, inventory, snapshot, avoided);
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
            Wanted wanted, Inventory inventory, Snapshot snapshot, Set<ResourceId> avoided) {
        LeasePeriod window = window(wanted);
        LinkedHashSet<ResourceId> free = new LinkedHashSet<>();
        for (KnownResource resource :
                inventory.matching(wanted.demand().kind(), wanted.demand().requirement())) {
            if (snapshot.isFree(resource.id(), window)) {
                free.add(resource.id());
            }
        }
        LinkedHashSet<ResourceId> options = new LinkedHashSet<>();
        wanted.current().stream().filter(free::contains).forEach(options::add);
        List<ResourceId> ordered = inOrder(free, wanted.demand().selection(), snapshot);
        ordered.stream().filter(id -> !avoided.contains(id)).forEach(options::add);
        options.addAll(ordered);
        return new Suitors(List.of(), List.of(), Set.of(), List.copyOf(options));
    }

    private Suitors forRunning(Wanted wanted, Inventory inventory, Snapshot snapshot) {
        LeasePeriod window = window(wanted);
        Demand demand = wanted.demand();
        Set<ResourceId> promised = promised(wanted, window);
        List<ResourceId> kept = new ArrayList<>();
        List<ResourceId> lost = new ArrayList<>();
        Predicate<KnownResource> canStay =
                resource ->
                        snapshot.isFree(resource.id(), window)
                                && (resource.enrolled() || promised.contains(resource.id()));
        wanted.current().stream()
                .flatMap(id -> inventory.find(id).stream())
                .filter(r -> Inventory.meets(r, demand.kind(), demand.requirement()))
                // Who gives some back gives back what it could not keep anyway.
                .sorted(Comparator.comparing(canStay.negate()::test))
                .limit(demand.maximum())
                .forEach(r -> (canStay.test(r) ? kept : lost).add(r.id()));
        Predicate<ResourceId> joins =
                id ->
                        snapshot.isFree(id, window)
                                && !snapshot.held().contains(id)
                                && !wanted.current().contains(id);
        LinkedHashSet<ResourceId> joining =
                inventory.matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .filter(joins)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        return new Suitors(kept, lost, promised, inOrder(joining, demand.selection(), snapshot));
    }

    /** A resource that went out of service is promised nothing new, but keeps its old promise. */
    private Set<ResourceId> promised(Wanted wanted, LeasePeriod window) {
        return before.getOrDefault(wanted.reservation(), List.of()).stream()
                .filter(claim -> !window.start().isBefore(claim.during().start()))
                .filter(claim -> !window.end().isAfter(claim.during().end()))
                .map(Claim::resource)
                .collect(Collectors.toSet());
    }

    private static List<ResourceId> inOrder(
            Set<ResourceId> byId, Demand.Selection selection, Snapshot snapshot) {
        return switch (selection) {
            case FIRST_FIT -> List.copyOf(byId);
            case SPREAD ->
                    byId.stream().sorted(Comparator.comparingInt(snapshot::claimsOn)).toList();
        };
    }
}
