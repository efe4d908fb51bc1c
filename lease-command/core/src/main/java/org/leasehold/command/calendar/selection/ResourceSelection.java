package org.leasehold.command.calendar.selection;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.ResourceOccupancy;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.selection.SelectedResources.Suitors;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

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
public final class ResourceSelection {

    private final Claims claims;
    private final Hold request;
    private final EarlierClaims earlierClaims;

    /** Creates a selection; the earlier claims of the reservations count as free. */
    public ResourceSelection(Claims claims, Hold request, Map<ReservationId, List<Claim>> before) {
        this.claims = claims;
        this.request = request;
        this.earlierClaims = new EarlierClaims(before);
    }

    public CalendarSnapshot.Question snapshotQuestion() {
        return new CalendarSnapshot.Question(
                request.wanted().stream().map(this::claimWindow).collect(Collectors.toSet()),
                request.wanted().stream().anyMatch(Wanted::running),
                request.wanted().stream().anyMatch(wanted -> isSpread(wanted.demand())));
    }

    /** Returns the resources that a choice may depend on. */
    public Set<ResourceId> relevantResources(InventorySnapshot inventory) {
        Set<ResourceId> concerned = new HashSet<>();
        for (Wanted wanted : request.wanted()) {
            concerned.addAll(inventory.findCandidateIds(wanted.demand()));
            concerned.addAll(wanted.current());
        }
        ownClaims().forEach(claim -> concerned.add(claim.resource()));
        return concerned;
    }

    public Hold request() {
        return request;
    }

    /** Returns the earlier claims of the reservations. */
    public List<Claim> ownClaims() {
        return earlierClaims.byReservation().values().stream().flatMap(List::stream).toList();
    }

    private static boolean isSpread(Demand demand) {
        return demand instanceof Demand.Whole d && d.selection() == Demand.Selection.SPREAD;
    }

    public LeasePeriod claimWindow(Wanted wanted) {
        return claims.claimWindow(wanted.period());
    }

    /** Chooses from a survey of all windows. */
    public SelectedResources choose(InventorySnapshot inventory, Claims.Survey survey, int spare) {
        return new Round(
                        inventory,
                        survey.snapshot(snapshotQuestion().windows()),
                        new FreeCapacities(survey.claims()),
                        survey.heldWhole())
                .choose(spare);
    }

    /**
     * Chooses whole resources among all that exist.
     *
     * @param spare the number of additional resources to find; of many thousand free ones a few are
     *     enough
     */
    public SelectedResources choose(
            InventorySnapshot inventory, ResourceOccupancy occupation, int spare) {
        return new Round(inventory, occupation, new FreeCapacities(List.of()), Set.of())
                .choose(spare);
    }

    /** Chooses from this node's memory. Only a claim shows whether that is right. */
    public SelectedResources chooseFromMemory(InventorySnapshot inventory, ClaimIndex index) {
        List<LeasePeriod> windows = List.copyOf(snapshotQuestion().windows());
        FreeCapacities capacities =
                new FreeCapacities(resource -> index.claims(resource, windows), index::shareClaims);
        return new Round(inventory, index, capacities, Set.of()).choose(0);
    }

    /**
     * Returns whether the reservation could have another resource, beside the claims of the
     * request.
     */
    public boolean isAnotherFree(
            Wanted wanted, InventorySnapshot inventory, ResourceOccupancy occupation) {
        LeasePeriod window = claimWindow(wanted);
        Set<ResourceId> leaving =
                request.wanted().stream()
                        .filter(Wanted::running)
                        .flatMap(running -> running.current().stream())
                        .collect(Collectors.toSet());
        return inventory
                .findMatchingIds(wanted.demand().kind(), wanted.demand().requirement())
                .stream()
                .filter(id -> !leaving.contains(id))
                .filter(id -> !wanted.running() || !occupation.isHeld(id))
                .anyMatch(id -> occupation.isFree(id, window));
    }

    /** One choice, from the data of one moment. */
    private final class Round {

        private final InventorySnapshot inventory;
        private final ResourceOccupancy occupancy;
        private FreeCapacities capacities;
        private final Set<ResourceId> heldWhole;

        /** The shares, by place in the request. */
        private final List<Map<ResourceId, Share>> shares = new ArrayList<>();

        /** The resources that no other reservation of the request may get. */
        private final Set<ResourceId> unavailable = new HashSet<>();

        Round(
                InventorySnapshot inventory,
                ResourceOccupancy occupation,
                FreeCapacities capacities,
                Set<ResourceId> heldWhole) {
            this.inventory = inventory;
            this.occupancy = occupation;
            this.capacities = capacities;
            this.heldWhole = heldWhole;
        }

        /**
         * Chooses for all reservations. Reservations that keep whole resources come first, then
         * shares are placed, then the rest is assigned whole: shares lie on few resources.
         */
        SelectedResources choose(int spare) {
            // With as many options as all reservations want together, one never takes another's
            // last.
            long enough =
                    spare + request.wanted().stream().mapToLong(w -> w.demand().maximum()).sum();
            List<Suitors> suitors = new ArrayList<>();
            // No other reservation may request by name a resource that one of them runs on, or has
            // requested by name.
            request.wanted().stream()
                    .filter(wanted -> wanted.running() && wanted.demand() instanceof Demand.Whole)
                    .forEach(wanted -> unavailable.addAll(wanted.current()));
            for (Wanted wanted : request.wanted()) {
                shares.add(Map.of());
                suitors.add(
                        switch (wanted.demand()) {
                            case Demand.Whole demand -> findForWhole(wanted, demand, enough);
                            case Demand.Shared _ ->
                                    new Suitors(List.of(), List.of(), Set.of(), List.of());
                        });
                unavailable.addAll(suitors.getLast().fixed());
            }
            // Each reservation gets only what the others leave that keep their shares.
            request.wanted().forEach(wanted -> keptShares(wanted).forEach(capacities::add));
            for (int index = 0; index < suitors.size(); index++) {
                Wanted wanted = request.wanted().get(index);
                if (wanted.demand() instanceof Demand.Shared demand) {
                    suitors.set(index, findForShared(index, wanted, demand));
                }
            }
            return new SelectedResources(
                    inventory, request.wanted(), suitors, assignResources(suitors), shares);
        }

        private Suitors findForWhole(Wanted wanted, Demand.Whole demand, long enough) {
            List<ResourceId> required =
                    inventory.findRequired(demand).stream()
                            .filter(id -> !unavailable.contains(id))
                            .toList();
            return wanted.running()
                    ? findForRunning(wanted, demand, required)
                    : findForPlanned(wanted, demand, required, enough);
        }

        private Suitors findForShared(int index, Wanted wanted, Demand.Shared demand) {
            LeasePeriod window = claimWindow(wanted);
            List<Claim> kept = keptShares(wanted);
            capacities = kept.isEmpty() ? capacities : capacities.without(kept);
            SlotPlacement placing =
                    new SlotPlacement(demand, window, inventory, capacities, earlierClaims(wanted));
            SlotPlacement.Placed placed =
                    wanted.running()
                            ? placing.extend(
                                    id -> !unavailable.contains(id) && !heldWhole.contains(id),
                                    earlierClaims.promisedResources(wanted.reservation(), window))
                            : placing.assignAll(id -> !unavailable.contains(id));
            shares.set(index, placed.parts());
            // Nothing else of the request would see them.
            if (request.hasSeveralDemands()) {
                placed.parts().forEach((id, share) -> capacities.add(new Claim(id, window, share)));
            }
            return placed.suitors();
        }

        private List<Claim> keptShares(Wanted wanted) {
            return wanted.running() && wanted.demand() instanceof Demand.Shared demand
                    ? earlierClaims.keptShares(
                            wanted.reservation(),
                            demand,
                            claimWindow(wanted),
                            earlierClaims(wanted))
                    : List.of();
        }

        /** Returns the earlier claims of the reservation for this one of its demands. */
        private List<Claim> earlierClaims(Wanted wanted) {
            List<Demand> demands =
                    request.wanted().stream()
                            .filter(other -> other.reservation().equals(wanted.reservation()))
                            .map(Wanted::demand)
                            .toList();
            return earlierClaims.of(wanted.reservation()).stream()
                    .filter(
                            claim ->
                                    inventory
                                            .demandServedBy(claim.resource(), demands)
                                            .equals(wanted.demand()))
                    .toList();
        }

        private List<List<ResourceId>> assignResources(List<Suitors> suitors) {
            shares.forEach(share -> unavailable.addAll(share.keySet()));
            List<ResourceAssignment.Seeker> seekers = new ArrayList<>();
            for (int i = 0; i < suitors.size(); i++) {
                Demand demand = request.wanted().get(i).demand();
                Set<ResourceId> shared = shares.get(i).keySet();
                List<ResourceId> options =
                        suitors.get(i).options().stream()
                                .filter(id -> !unavailable.contains(id))
                                .toList();
                seekers.add(
                        switch (demand) {
                            case Demand.Whole whole ->
                                    new ResourceAssignment.Seeker(
                                            whole.minimum(),
                                            whole.maximum(),
                                            suitors.get(i).fixed(),
                                            options);
                            case Demand.Shared _ ->
                                    new ResourceAssignment.Seeker(
                                            0, 0, List.copyOf(shared), List.of());
                        });
            }
            return ResourceAssignment.of(seekers);
        }

        private Suitors findForPlanned(
                Wanted wanted, Demand.Whole demand, List<ResourceId> required, long enough) {
            LeasePeriod window = claimWindow(wanted);
            Stream<ResourceId> options =
                    sortBySelection(
                            inventory.findMatchingIds(demand.kind(), demand.requirement()).stream()
                                    .filter(id -> !unavailable.contains(id))
                                    .filter(id -> occupancy.isFree(id, window)),
                            demand.selection());
            List<ResourceId> current = wanted.current();
            if (!current.isEmpty()) {
                // A reservation that has resources already should not move.
                options =
                        options.sorted(
                                Comparator.comparingInt(
                                        id ->
                                                current.contains(id)
                                                        ? current.indexOf(id)
                                                        : current.size()));
            }
            List<ResourceId> fixed =
                    required.stream().filter(id -> occupancy.isFree(id, window)).toList();
            return new Suitors(fixed, List.of(), Set.of(), options.limit(enough).toList());
        }

        private Suitors findForRunning(
                Wanted wanted, Demand.Whole demand, List<ResourceId> required) {
            LeasePeriod window = claimWindow(wanted);
            Set<ResourceId> promised =
                    earlierClaims.promisedResources(wanted.reservation(), window);
            List<ResourceId> kept = new ArrayList<>();
            List<ResourceId> lost = new ArrayList<>();
            Predicate<CachedResource> canStay =
                    resource ->
                            occupancy.isFree(resource.id(), window)
                                    && (promised.contains(resource.id())
                                            || mayBePromised(resource, demand));
            wanted.current().stream()
                    .flatMap(id -> inventory.find(id).stream())
                    // A reservation that shrinks releases resources that it could not keep anyway,
                    // and never one that it requested by name.
                    .sorted(
                            Comparator.comparing(
                                            (CachedResource r) ->
                                                    !demand.required()
                                                            .contains(r.allocation().name()))
                                    .thenComparing(canStay.negate()::test))
                    .limit(demand.maximum())
                    .forEach(r -> (canStay.test(r) ? kept : lost).add(r.id()));
            Predicate<ResourceId> joins =
                    id ->
                            occupancy.isFree(id, window)
                                    && !occupancy.isHeld(id)
                                    && !wanted.current().contains(id);
            required.stream().filter(joins).forEach(kept::add);
            Stream<ResourceId> joining =
                    sortBySelection(
                            inventory.findMatchingIds(demand.kind(), demand.requirement()).stream()
                                    .filter(joins),
                            demand.selection());
            return new Suitors(kept, lost, promised, joining.toList());
        }

        private static boolean mayBePromised(CachedResource resource, Demand demand) {
            return resource.enrolled()
                    && InventorySnapshot.meets(resource, demand.kind(), demand.requirement());
        }

        private Stream<ResourceId> sortBySelection(
                Stream<ResourceId> byId, Demand.Selection selection) {
            return switch (selection) {
                case FIRST_FIT -> byId;
                case SPREAD -> byId.sorted(Comparator.comparingInt(occupancy::claimsOn));
            };
        }
    }
}
