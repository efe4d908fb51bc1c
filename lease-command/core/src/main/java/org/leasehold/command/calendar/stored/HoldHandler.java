package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.ClaimInsertion;
import org.leasehold.command.calendar.claim.ClaimRemoval;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.refusal.RefusalConfirmation;
import org.leasehold.command.calendar.refusal.RefusalConfirmation.MemoryChoice;
import org.leasehold.command.calendar.selection.ResourceSelection;
import org.leasehold.command.calendar.selection.SelectedResources;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Handles {@link Hold}: looks, chooses and claims, or explains the refusal. */
public final class HoldHandler {

    /** The number of looks. So many changes of the inventory during one hold are a fault. */
    private static final int MAX_ATTEMPTS = 5;

    /** The number of additional resources that are offered after another node was faster. */
    private static final int RESERVE_SIZE = 3;

    private final InventoryCache inventories;
    private final Claims claims;
    private final ClaimInsertion claimInsertion;
    private final Holders holders;
    private final CalendarGroupCommit group;
    private final ContentionMode contentionMode;
    private final RefusalConfirmation refusalConfirmation;

    public HoldHandler(
            InventoryCache inventories,
            Claims claims,
            Holders holders,
            CalendarGroupCommit group,
            ContentionMode contentionMode,
            RefusalConfirmation refusalConfirmation) {
        this.inventories = inventories;
        this.claims = claims;
        this.claimInsertion = new ClaimInsertion(claims);
        this.holders = holders;
        this.group = group;
        this.contentionMode = contentionMode;
        this.refusalConfirmation = refusalConfirmation;
    }

    public Grant.OfHold hold(Hold request) {
        if (request.wanted().isEmpty()) {
            return new Grant.Held(Map.of(), claims.cleaning(), List.of());
        }
        Map<ReservationId, List<Claim>> before = new ClaimRemoval(claims).removeFor(request);
        ResourceSelection choosing = new ResourceSelection(claims, request, before);
        if (request.isFresh() && !group.isOpen()) {
            Optional<Grant.HoldRefused> refused =
                    refuseFromMemory(choosing, chooseFromMemory(choosing));
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        CalendarSnapshot.Question question = choosing.snapshotQuestion();
        for (int look = 0; look < MAX_ATTEMPTS; look++) {
            InventorySnapshot inventory = inventories.latest();
            Optional<Look> seen = readAndSelect(choosing, question, inventory);
            if (seen.isEmpty()) {
                inventories.reload();
                continue;
            }
            SelectedResources choice = seen.get().choice();
            if (choice.isComplete()) {
                return claim(request, choosing, choice, before, question);
            }
            Claims.@Nullable Survey survey = seen.get().survey();
            Optional<Grant.HoldRefused> refused =
                    survey == null
                            ? refusalConfirmation.refuse(choosing, inventory)
                            : refusalConfirmation.refuse(choosing, inventory, survey);
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    private MemoryChoice chooseFromMemory(ResourceSelection choosing) {
        return refusalConfirmation.choose(choosing, inventories.latest());
    }

    /** Returns the refusal from memory; none for a rehearsal, whose memory may be ahead. */
    private Optional<Grant.HoldRefused> refuseFromMemory(
            ResourceSelection choosing, MemoryChoice choice) {
        if (choice.selected().isComplete() || !group.canRefuse() || group.isRehearsal()) {
            return Optional.empty();
        }
        var refused = refusalConfirmation.refuseFromMemory(choosing, choice);
        if (refused.isEmpty()) {
            // The next commands of the group need not wait for memory either.
            group.endRefusals();
        }
        return refused;
    }

    /**
     * The selected resources of one look.
     *
     * @param survey all claims of the windows if shares are requested, otherwise null
     */
    private record Look(SelectedResources choice, Claims.@Nullable Survey survey) {}

    /**
     * Reads the tables and chooses; returns empty if the inventory is no longer that of the tables.
     */
    private Optional<Look> readAndSelect(
            ResourceSelection choosing,
            CalendarSnapshot.Question question,
            InventorySnapshot inventory) {
        if (choosing.request().hasShares()) {
            Claims.Survey survey =
                    claims.survey(
                            Claims.hull(question.windows()), choosing.relevantResources(inventory));
            return survey.inventoryVersion() == inventory.version()
                    ? Optional.of(
                            new Look(choosing.choose(inventory, survey, RESERVE_SIZE), survey))
                    : Optional.empty();
        }
        CalendarSnapshot snapshot = claims.readSnapshot(question);
        return snapshot.inventoryVersion() == inventory.version()
                ? Optional.of(new Look(choosing.choose(inventory, snapshot, RESERVE_SIZE), null))
                : Optional.empty();
    }

    /** Returns whether the choice depends only on free time and on shares. */
    private static boolean isPlain(Hold request) {
        return request.isFresh()
                && request.wanted().stream()
                        .map(Wanted::demand)
                        .noneMatch(
                                demand ->
                                        demand instanceof Demand.Whole whole
                                                && whole.selection() != Demand.Selection.FIRST_FIT);
    }

    /**
     * Chooses from memory, and leaves the claim to the group; or refuses, if the group has accepted
     * no command. Returns empty if the tables must be read.
     *
     * @throws DecideAloneException if memory contains less than requested, and a refusal is not
     *     possible: memory may lag behind a release, and a smaller grant needs a look at the
     *     database
     */
    Optional<Grant.OfHold> answerFromMemory(Hold request) {
        if (!group.canAnswerFromMemory() || !isPlain(request)) {
            return Optional.empty();
        }
        ResourceSelection choosing = new ResourceSelection(claims, request, Map.of());
        MemoryChoice fromMemory = chooseFromMemory(choosing);
        SelectedResources choice = fromMemory.selected();
        if (!choice.isComplete()) {
            return Optional.of(
                    refuseFromMemory(choosing, fromMemory).orElseThrow(DecideAloneException::new));
        }
        if (!choice.isMaximal()) {
            throw new DecideAloneException();
        }
        List<Offer> offers = offers(request, choosing, choice, 0);
        group.claim(offers);
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        for (Offer offer : offers) {
            offer.resources()
                    .forEach(chosen -> allocationsOf(allocations, offer).add(chosen.allocation()));
        }
        return Optional.of(new Grant.Held(allocations, claims.cleaning(), List.of()));
    }

    private Grant.Held claim(
            Hold request,
            ResourceSelection choosing,
            SelectedResources choice,
            Map<ReservationId, List<Claim>> before,
            CalendarSnapshot.Question question) {
        int reserve = contentionMode.isPessimistic() ? RESERVE_SIZE : 0;
        List<Offer> offers = offers(request, choosing, choice, reserve);
        contentionMode.countRead();
        Map<ReservationId, Set<ResourceId>> claimed =
                claimInsertion.insertClaims(offers).orElseThrow(CalendarContention::lostRace);
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        List<Wanted> smaller = new ArrayList<>();
        for (int index = 0; index < offers.size(); index++) {
            Offer offer = offers.get(index);
            Set<ResourceId> got = Objects.requireNonNull(claimed.get(offer.reservation()));
            List<Allocation> kept = keepSelected(choice, index, offer, got);
            allocationsOf(allocations, offer).addAll(kept);
            if (offer.demand() instanceof Demand.Whole whole && kept.size() < whole.maximum()) {
                smaller.add(request.wanted().get(index));
            }
        }
        List<Tenure> tenures = renewTenures(request, before, allocations);
        // A decision that is not stored has no position, and must not lock out other appends.
        if (!smaller.isEmpty() && !group.isRehearsal()) {
            confirmSmallerGrant(choosing, smaller, choice.inventory(), question);
        }
        return new Grant.Held(allocations, claims.cleaning(), tenures);
    }

    /**
     * Confirms, at its future position, a grant that is smaller than the maximum: others may have
     * released resources since the look. It comes last, because an appending transaction has its
     * claims before.
     *
     * @throws CalendarContention if there is more now
     * @throws DecideAloneException in a group, whose position is not known before its last command
     */
    private void confirmSmallerGrant(
            ResourceSelection choosing,
            List<Wanted> smaller,
            InventorySnapshot inventory,
            CalendarSnapshot.Question question) {
        if (group.isOpen()) {
            throw new DecideAloneException();
        }
        claims.lockHead();
        CalendarSnapshot now = claims.readSnapshot(question);
        if (now.inventoryVersion() != inventory.version()
                || smaller.stream()
                        .anyMatch(wanted -> choosing.isAnotherFree(wanted, inventory, now))) {
            throw new CalendarContention("more became free meanwhile");
        }
    }

    private static List<Allocation> allocationsOf(
            Map<ReservationId, List<Allocation>> allocations, Offer offer) {
        return allocations.computeIfAbsent(offer.reservation(), _ -> new ArrayList<>());
    }

    private static List<Offer> offers(
            Hold request, ResourceSelection choosing, SelectedResources choice, int reserve) {
        List<List<CachedResource>> resources = choice.selectedWithReserve(reserve);
        List<Offer> offers = new ArrayList<>();
        for (int index = 0; index < request.wanted().size(); index++) {
            Wanted wanted = request.wanted().get(index);
            offers.add(
                    new Offer(
                            request.lease(),
                            request.project(),
                            wanted.reservation(),
                            choosing.claimWindow(wanted),
                            resources.get(index),
                            choice.suitors().get(index).promised(),
                            wanted.demand()));
        }
        return offers;
    }

    /** Keeps the chosen number of resources, the preferred ones first, and releases the rest. */
    private List<Allocation> keepSelected(
            SelectedResources choice, int index, Offer offer, Set<ResourceId> got) {
        int chosen = choice.chosen().get(index).size();
        int needed =
                switch (choice.wanted().get(index).demand()) {
                    case Demand.Whole demand -> demand.minimum();
                    case Demand.Shared _ -> chosen;
                };
        List<Allocation> gained =
                offer.resources().stream()
                        .filter(resource -> got.contains(resource.id()))
                        .map(CachedResource::allocation)
                        .toList();
        if (gained.size() < offer.resources().size()) {
            contentionMode.recordContention();
        }
        if (gained.size() < needed || !got.containsAll(choice.suitors().get(index).fixed())) {
            throw CalendarContention.lostRace();
        }
        if (gained.size() > chosen) {
            claims.delete(
                    offer.reservation(),
                    gained.subList(chosen, gained.size()).stream()
                            .map(Allocation::resource)
                            .toList());
        }
        return gained.stream().limit(chosen).toList();
    }

    /** Returns whether it has other resources than before, or more of the same. */
    private static boolean hasChanged(
            Wanted wanted, List<Allocation> granted, Map<ReservationId, List<Claim>> before) {
        Map<ResourceId, Optional<Share>> had = new HashMap<>();
        before.getOrDefault(wanted.reservation(), List.of())
                .forEach(claim -> had.put(claim.resource(), Optional.ofNullable(claim.share())));
        wanted.current().forEach(id -> had.putIfAbsent(id, Optional.empty()));
        Map<ResourceId, Optional<Share>> has = new HashMap<>();
        granted.forEach(held -> has.put(held.resource(), Optional.ofNullable(held.share())));
        return !has.equals(had);
    }

    /**
     * Returns the new tenures of running reservations: they become holders of additional resources
     * at once. A resource that they lose keeps its holder.
     */
    public List<Tenure> renewTenures(
            Hold request,
            Map<ReservationId, List<Claim>> before,
            Map<ReservationId, List<Allocation>> allocations) {
        Set<ReservationId> changed = new LinkedHashSet<>();
        for (Wanted wanted : request.wanted()) {
            List<Allocation> granted =
                    Objects.requireNonNull(allocations.get(wanted.reservation()));
            if (wanted.running()
                    && (wanted.adjusts() || hasChanged(wanted, granted, before))
                    && changed.add(wanted.reservation())) {
                List<Allocation> joining =
                        granted.stream()
                                .filter(held -> !wanted.current().contains(held.resource()))
                                .toList();
                if (!joining.isEmpty()) {
                    holders.acquire(
                            request.lease(),
                            Map.of(wanted.reservation(), joining),
                            wanted.period().start());
                }
            }
        }
        return changed.isEmpty() ? List.of() : holders.renewTenures(List.copyOf(changed));
    }
}
