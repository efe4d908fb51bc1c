package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Choice.Suitors;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;

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
                request.wanted().stream().anyMatch(wanted -> isSpread(wanted.demand())));
    }

    /** The resources that a choice may depend on. */
    Set<ResourceId> concerned(Inventory inventory) {
        Set<ResourceId> concerned = new HashSet<>();
        for (Wanted wanted : request.wanted()) {
            inventory.candidates(wanted.demand()).forEach(each -> concerned.add(each.id()));
            concerned.addAll(wanted.current());
        }
        own().forEach(claim -> concerned.add(claim.resource()));
        return concerned;
    }

    /** Whether no reservation has claims already, or takes anything up. */
    boolean isFresh() {
        return Holding.isFresh(request);
    }

    /** Whether a reservation wants shares of resources. */
    boolean hasShares() {
        return request.wanted().stream().anyMatch(w -> w.demand() instanceof Demand.Shared);
    }

    /** What the reservations had claimed before the request. */
    List<Claim> own() {
        return before.values().stream().flatMap(List::stream).toList();
    }

    private static boolean isSpread(Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> whole.selection() == Demand.Selection.SPREAD;
            case Demand.Shared _ -> false;
        };
    }

    LeasePeriod window(Wanted wanted) {
        return claims.toClaim(wanted.period());
    }

    /** Chooses by what a survey of all windows has found. */
    Choice choose(Inventory inventory, Claims.Survey survey, int spare) {
        return new Round(
                        inventory,
                        survey.snapshot(question().windows()),
                        new Rooms(survey.claims()),
                        survey.heldWhole())
                .choose(spare);
    }

    /**
     * Chooses whole resources among all that there are.
     *
     * @param spare how many more than are wanted are looked for; of many thousand free resources a
     *     few are enough
     */
    Choice choose(Inventory inventory, Occupation occupation, int spare) {
        return new Round(inventory, occupation, new Rooms(List.of()), Set.of()).choose(spare);
    }

    /** Chooses by what this node remembers. Only a claim shows whether that is right. */
    Choice chooseFromMemory(Inventory inventory, ClaimIndex index) {
        Set<LeasePeriod> windows = question().windows();
        Rooms rooms = new Rooms(resource -> index.claims(resource, windows));
        return new Round(inventory, index, rooms, Set.of()).choose(0);
    }

    /**
     * Whether there is something that the reservation could have as well, beside what the request
     * has claimed already.
     */
    boolean isMoreFree(Wanted wanted, Inventory inventory, Occupation occupation) {
        LeasePeriod window = window(wanted);
        Set<ResourceId> leaving =
                request.wanted().stream()
                        .filter(Wanted::running)
                        .flatMap(running -> running.current().stream())
                        .collect(Collectors.toSet());
        return inventory.matching(wanted.demand().kind(), wanted.demand().requirement()).stream()
                .map(KnownResource::id)
                .filter(id -> !leaving.contains(id))
                .filter(id -> !wanted.running() || !occupation.isHeld(id))
                .anyMatch(id -> occupation.isFree(id, window));
    }

    /** One choice, by what is known at the moment. */
    private final class Round {

        private final Inventory inventory;
        private final Occupation occupation;
        private final Rooms rooms;
        private final Set<ResourceId> heldWhole;

        /** What is shared, by place. */
        private final List<Map<ResourceId, Share>> parts = new ArrayList<>();

        /** What nobody else of the request may be given. */
        private final Set<ResourceId> taken = new HashSet<>();

        Round(Inventory inventory, Occupation occupation, Rooms rooms, Set<ResourceId> heldWhole) {
            this.inventory = inventory;
            this.occupation = occupation;
            this.rooms = rooms;
            this.heldWhole = heldWhole;
        }

        /**
         * Whole resources go to those who keep what they have, then shares are placed, then the
         * rest is shared out whole: shares lie on few resources.
         */
        Choice choose(int spare) {
            // With as many options as all reservations want together, one never takes another's
            // last.
            long enough =
                    spare + request.wanted().stream().mapToLong(w -> w.demand().maximum()).sum();
            List<Suitors> suitors = new ArrayList<>();
            // What one of them runs on is no other's to ask for by name, nor is what another did.
            request.wanted().stream()
                    .filter(wanted -> wanted.running() && wanted.demand() instanceof Demand.Whole)
                    .forEach(wanted -> taken.addAll(wanted.current()));
            for (Wanted wanted : request.wanted()) {
                parts.add(Map.of());
                suitors.add(
                        switch (wanted.demand()) {
                            case Demand.Whole demand -> forWhole(wanted, demand, enough);
                            case Demand.Shared _ ->
                                    new Suitors(List.of(), List.of(), Set.of(), List.of());
                        });
                taken.addAll(suitors.getLast().fixed());
            }
            for (int place = 0; place < suitors.size(); place++) {
                Wanted wanted = request.wanted().get(place);
                if (wanted.demand() instanceof Demand.Shared demand) {
                    suitors.set(place, placed(place, wanted, demand));
                }
            }
            return new Choice(inventory, request.wanted(), suitors, chosen(suitors), parts);
        }

        private Suitors forWhole(Wanted wanted, Demand.Whole demand, long enough) {
            List<ResourceId> required =
                    inventory.required(demand).stream().filter(id -> !taken.contains(id)).toList();
            return wanted.running()
                    ? forRunning(wanted, demand, required)
                    : forPlanned(wanted, demand, required, enough);
        }

        private Suitors placed(int place, Wanted wanted, Demand.Shared demand) {
            LeasePeriod window = window(wanted);
            Placing placing = new Placing(demand, window, inventory, rooms, before(wanted));
            Placing.Placed placed =
                    wanted.running()
                            ? placing.extend(
                                    id -> !taken.contains(id) && !heldWhole.contains(id),
                                    promised(wanted, window))
                            : placing.place(id -> !taken.contains(id));
            parts.set(place, placed.parts());
            placed.parts().forEach((id, share) -> rooms.add(new Claim(id, window, share)));
            return placed.suitors();
        }

        /** What the reservation had claimed for this one of its demands. */
        private List<Claim> before(Wanted wanted) {
            List<Demand> demands =
                    request.wanted().stream()
                            .filter(other -> other.reservation().equals(wanted.reservation()))
                            .map(Wanted::demand)
                            .toList();
            return before.getOrDefault(wanted.reservation(), List.of()).stream()
                    .filter(
                            claim ->
                                    inventory
                                            .servedBy(claim.resource(), demands)
                                            .equals(wanted.demand()))
                    .toList();
        }

        private List<List<ResourceId>> chosen(List<Suitors> suitors) {
            parts.forEach(its -> taken.addAll(its.keySet()));
            List<Allotment.Seeker> seekers = new ArrayList<>();
            for (int i = 0; i < suitors.size(); i++) {
                Demand demand = request.wanted().get(i).demand();
                Set<ResourceId> shared = parts.get(i).keySet();
                List<ResourceId> options =
                        suitors.get(i).options().stream()
                                .filter(id -> !taken.contains(id))
                                .toList();
                seekers.add(
                        switch (demand) {
                            case Demand.Whole whole ->
                                    new Allotment.Seeker(
                                            whole.minimum(),
                                            whole.maximum(),
                                            suitors.get(i).fixed(),
                                            options);
                            case Demand.Shared _ ->
                                    new Allotment.Seeker(0, 0, List.copyOf(shared), List.of());
                        });
            }
            return Allotment.of(seekers);
        }

        private Suitors forPlanned(
                Wanted wanted, Demand.Whole demand, List<ResourceId> required, long enough) {
            LeasePeriod window = window(wanted);
            Stream<ResourceId> options =
                    inOrder(
                            inventory.matching(demand.kind(), demand.requirement()).stream()
                                    .map(KnownResource::id)
                                    .filter(id -> !taken.contains(id))
                                    .filter(id -> occupation.isFree(id, window)),
                            demand.selection());
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

        private Suitors forRunning(Wanted wanted, Demand.Whole demand, List<ResourceId> required) {
            LeasePeriod window = window(wanted);
            Set<ResourceId> promised = promised(wanted, window);
            List<ResourceId> kept = new ArrayList<>();
            List<ResourceId> lost = new ArrayList<>();
            Predicate<KnownResource> canStay =
                    resource ->
                            occupation.isFree(resource.id(), window)
                                    && (promised.contains(resource.id())
                                            || mayBePromised(resource, demand));
            wanted.current().stream()
                    .flatMap(id -> inventory.find(id).stream())
                    // Who gives some back gives back what it could not keep anyway, and never what
                    // it asked for by name.
                    .sorted(
                            Comparator.comparing(
                                            (KnownResource r) ->
                                                    !demand.required()
                                                            .contains(r.allocation().name()))
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
                            demand.selection());
            return new Suitors(kept, lost, promised, joining.toList());
        }

        private static boolean mayBePromised(KnownResource resource, Demand demand) {
            return resource.enrolled()
                    && Inventory.meets(resource, demand.kind(), demand.requirement());
        }

        private Stream<ResourceId> inOrder(Stream<ResourceId> byId, Demand.Selection selection) {
            return switch (selection) {
                case FIRST_FIT -> byId;
                case SPREAD -> byId.sorted(Comparator.comparingInt(occupation::claimsOn));
            };
        }
    }

    /**
     * A resource that went out of service, or is not any more what was asked for, is promised
     * nothing new, but keeps its old promise.
     */
    private Set<ResourceId> promised(Wanted wanted, LeasePeriod window) {
        return before.getOrDefault(wanted.reservation(), List.of()).stream()
                .filter(claim -> !window.start().isBefore(claim.during().start()))
                .filter(claim -> !window.end().isAfter(claim.during().end()))
                .map(Claim::resource)
                .collect(Collectors.toSet());
    }
}
