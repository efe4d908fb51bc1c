package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;
import org.leasehold.lease.Tenure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Carries out {@link Hold}: look, choose, claim; or explain why not. */
final class Holding {

    /** The inventory changes seldom: that it does so time and again during one hold is a fault. */
    private static final int LOOKS = 5;

    /** How many more than chosen are offered after another node was faster. */
    private static final int RESERVE = 3;

    private final Inventories inventories;
    private final Claims claims;
    private final Claiming claiming;
    private final Holders holders;
    private final ClaimIndex index;
    private final CalendarGroup group;
    private final Wariness wariness;
    private final Refusing refusing;

    Holding(
            Inventories inventories,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            CalendarGroup group,
            Wariness wariness,
            Refusing refusing) {
        this.inventories = inventories;
        this.claims = claims;
        this.claiming = new Claiming(claims);
        this.holders = holders;
        this.index = index;
        this.group = group;
        this.wariness = wariness;
        this.refusing = refusing;
    }

    Grant hold(Hold request) {
        if (request.wanted().isEmpty()) {
            return new Grant.Held(Map.of(), claims.cleaning(), List.of());
        }
        Map<ReservationId, List<Claim>> before =
                isFresh(request) ? Map.of() : claims.takeBack(reservations(request));
        Choosing choosing = new Choosing(claims, request, before);
        Snapshot.Question question = choosing.question();
        for (int look = 0; look < LOOKS; look++) {
            Inventory inventory = inventories.latest();
            Optional<Look> seen = look(choosing, question, inventory);
            if (seen.isEmpty()) {
                inventories.reload();
                continue;
            }
            Choice choice = seen.get().choice();
            if (choice.isComplete()) {
                return claim(request, choosing, choice, before, question);
            }
            Claims.@Nullable Survey survey = seen.get().survey();
            Optional<Grant.TooFew> refused =
                    survey == null
                            ? refusing.refuse(choosing, inventory)
                            : refusing.refuse(choosing, inventory, survey);
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    /**
     * What was chosen.
     *
     * @param survey all claims of the windows if shares are wanted, otherwise null
     */
    private record Look(Choice choice, Claims.@Nullable Survey survey) {}

    /** Looks and chooses; empty if the inventory is not that of the tables any more. */
    private Optional<Look> look(
            Choosing choosing, Snapshot.Question question, Inventory inventory) {
        if (choosing.hasShares()) {
            Claims.Survey survey =
                    claims.survey(Claims.hull(question.windows()), choosing.concerned(inventory));
            return survey.inventoryVersion() == inventory.version()
                    ? Optional.of(new Look(choosing.choose(inventory, survey, RESERVE), survey))
                    : Optional.empty();
        }
        Snapshot snapshot = claims.look(question);
        return snapshot.inventoryVersion() == inventory.version()
                ? Optional.of(new Look(choosing.choose(inventory, snapshot, RESERVE), null))
                : Optional.empty();
    }

    /** Whether nothing needs to be known but what is free and how it is shared. */
    private static boolean isPlain(Hold request) {
        return isFresh(request)
                && request.wanted().stream().allMatch(wanted -> isPlain(wanted.demand()));
    }

    private static boolean isPlain(Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> whole.selection() == Demand.Selection.FIRST_FIT;
            case Demand.Shared _ -> true;
        };
    }

    /**
     * Chooses from memory, and leaves the claim to the group. Empty if the tables are to be asked.
     *
     * @throws Postponed if memory knows of less than is wanted: it may be behind a release, and a
     *     refusal or a smaller grant needs a look at the database
     */
    Optional<Grant> gather(Hold request) {
        if (!group.isGathering() || !isPlain(request)) {
            return Optional.empty();
        }
        Choosing choosing = new Choosing(claims, request, Map.of());
        Choice choice = choosing.chooseFromMemory(inventories.latest(), index);
        if (!choice.isComplete() || !choice.isFull()) {
            throw new Postponed();
        }
        List<Offer> offers = offers(request, choosing, choice, 0);
        group.claim(offers);
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        offers.forEach(
                offer ->
                        its(allocations, offer)
                                .addAll(
                                        offer.resources().stream()
                                                .map(KnownResource::allocation)
                                                .toList()));
        return Optional.of(new Grant.Held(allocations, claims.cleaning(), List.of()));
    }

    /** Whether no reservation has claims already, or takes anything up. */
    static boolean isFresh(Hold request) {
        return request.wanted().stream()
                .allMatch(wanted -> wanted.current().isEmpty() && !wanted.running());
    }

    static List<ReservationId> reservations(Hold request) {
        return request.wanted().stream().map(Wanted::reservation).distinct().toList();
    }

    private Grant claim(
            Hold request,
            Choosing choosing,
            Choice choice,
            Map<ReservationId, List<Claim>> before,
            Snapshot.Question question) {
        List<Offer> offers = offers(request, choosing, choice, wariness.isWary() ? RESERVE : 0);
        wariness.looked();
        Map<ReservationId, Set<ResourceId>> claimed = claiming.claim(offers);
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        List<Wanted> smaller = new ArrayList<>();
        for (int place = 0; place < offers.size(); place++) {
            Offer offer = offers.get(place);
            Set<ResourceId> got = Objects.requireNonNull(claimed.get(offer.reservation()));
            List<Allocation> kept = keep(choice, place, offer, got);
            its(allocations, offer).addAll(kept);
            if (offer.demand() instanceof Demand.Whole whole && kept.size() < whole.maximum()) {
                smaller.add(request.wanted().get(place));
            }
        }
        List<Tenure> tenures = tenures(request, before, allocations);
        // What is not stored has no position, and must not keep others from appending.
        if (!smaller.isEmpty() && !group.isRehearsal()) {
            confirm(choosing, smaller, choice.inventory(), question);
        }
        return new Grant.Held(allocations, claims.cleaning(), tenures);
    }

    /**
     * A grant that is smaller than it might be is confirmed at the position that it will have:
     * others may have let go since the look that it was chosen by. Comes last, because whoever
     * appends has claimed before.
     *
     * @throws CalendarContention if there is more now
     * @throws Postponed in a group, whose position is not known before its last command
     */
    private void confirm(
            Choosing choosing,
            List<Wanted> smaller,
            Inventory inventory,
            Snapshot.Question question) {
        if (group.isOpen()) {
            throw new Postponed();
        }
        claims.lockHead();
        Snapshot now = claims.look(question);
        if (now.inventoryVersion() != inventory.version()
                || smaller.stream()
                        .anyMatch(wanted -> choosing.isMoreFree(wanted, inventory, now))) {
            throw new CalendarContention("more became free meanwhile");
        }
    }

    private static List<Allocation> its(
            Map<ReservationId, List<Allocation>> allocations, Offer offer) {
        return allocations.computeIfAbsent(offer.reservation(), _ -> new ArrayList<>());
    }

    private static List<Offer> offers(Hold request, Choosing choosing, Choice choice, int reserve) {
        List<List<KnownResource>> resources = choice.withReserve(reserve);
        List<Offer> offers = new ArrayList<>();
        for (int place = 0; place < request.wanted().size(); place++) {
            Wanted wanted = request.wanted().get(place);
            offers.add(
                    new Offer(
                            request.lease(),
                            request.project(),
                            wanted.reservation(),
                            choosing.window(wanted),
                            resources.get(place),
                            choice.suitors().get(place).promised(),
                            wanted.demand()));
        }
        return offers;
    }

    /** Keeps as many as were chosen, the most welcome ones, and gives the rest back. */
    private List<Allocation> keep(Choice choice, int place, Offer offer, Set<ResourceId> got) {
        int chosen = choice.chosen().get(place).size();
        int needed =
                switch (choice.wanted().get(place).demand()) {
                    case Demand.Whole demand -> demand.minimum();
                    case Demand.Shared _ -> chosen;
                };
        List<Allocation> gained =
                offer.resources().stream()
                        .filter(resource -> got.contains(resource.id()))
                        .map(KnownResource::allocation)
                        .toList();
        if (gained.size() < offer.resources().size()) {
            wariness.wasOutrun();
        }
        if (gained.size() < needed || !got.containsAll(choice.suitors().get(place).fixed())) {
            throw new CalendarContention("somebody else was faster");
        }
        if (gained.size() > chosen) {
            claims.drop(
                    offer.reservation(),
                    gained.subList(chosen, gained.size()).stream()
                            .map(Allocation::resource)
                            .toList());
        }
        return gained.stream().limit(chosen).toList();
    }

    /** Whether it has other resources than before, or more of the same. */
    private static boolean isOther(
            Wanted wanted, List<Allocation> granted, Map<ReservationId, List<Claim>> before) {
        Map<ResourceId, Optional<Share>> had = new HashMap<>();
        before.getOrDefault(wanted.reservation(), List.of())
                .forEach(claim -> had.put(claim.resource(), Optional.ofNullable(claim.share())));
        wanted.current().forEach(id -> had.putIfAbsent(id, Optional.empty()));
        Map<ResourceId, Optional<Share>> has = new HashMap<>();
        granted.forEach(held -> has.put(held.resource(), Optional.ofNullable(held.share())));
        return !has.equals(had);
    }

    /** What joins a running reservation is taken up at once; what leaves it stays in its hands. */
    List<Tenure> tenures(
            Hold request,
            Map<ReservationId, List<Claim>> before,
            Map<ReservationId, List<Allocation>> allocations) {
        Set<ReservationId> changed = new LinkedHashSet<>();
        for (Wanted wanted : request.wanted()) {
            List<Allocation> granted =
                    Objects.requireNonNull(allocations.get(wanted.reservation()));
            if (wanted.running()
                    && (wanted.adjusts() || isOther(wanted, granted, before))
                    && changed.add(wanted.reservation())) {
                List<Allocation> joining =
                        granted.stream()
                                .filter(held -> !wanted.current().contains(held.resource()))
                                .toList();
                if (!joining.isEmpty()) {
                    holders.takeUp(
                            request.lease(),
                            Map.of(wanted.reservation(), joining),
                            wanted.period().start());
                }
            }
        }
        return changed.isEmpty() ? List.of() : holders.renew(List.copyOf(changed));
    }
}
