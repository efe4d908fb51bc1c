package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.command.calendar.Holders.Condition;
import org.leasehold.command.calendar.Holders.Hand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;
import org.leasehold.lease.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Carries out {@link TakeUp}: all resources of the request change hands, or none does. */
final class TakingUp {

    private static final int LOOKS = 5;

    private final Inventories inventories;
    private final Claims claims;
    private final Claiming claiming;
    private final Holders holders;
    private final ClaimIndex index;
    private final CalendarGroup group;
    private final Wariness wariness;

    TakingUp(
            Inventories inventories,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            CalendarGroup group,
            Wariness wariness) {
        this.inventories = inventories;
        this.claims = claims;
        this.claiming = new Claiming(claims);
        this.holders = holders;
        this.index = index;
        this.group = group;
        this.wariness = wariness;
    }

    /**
     * What memory answers: as far as it tells nothing is in the way, and the group takes the
     * resources up, or others are, who have not let go yet, and the lease does not know. Empty if
     * the tables are to be asked.
     */
    Optional<Grant> gather(TakeUp request) {
        if (!group.isGathering() || isShared(request)) {
            return Optional.empty();
        }
        List<Unfit> unfit = unfit(request, remembered(request));
        if (unfit.isEmpty()) {
            return Optional.of(new Grant.TakenUp(takeUpInGroup(request), List.of()));
        }
        return !request.waits() && unfit.stream().allMatch(Unfit::isLate)
                ? Optional.of(unmet(unfit))
                : Optional.empty();
    }

    private static boolean isShared(TakeUp request) {
        return request.reservations().stream()
                .flatMap(granted -> granted.allocations().stream())
                .anyMatch(allocation -> allocation.share() != null);
    }

    /** How those who have something share it is not remembered: whoever wants it whole waits. */
    private Map<ResourceId, Condition> remembered(TakeUp request) {
        Inventory inventory = inventories.latest();
        Map<ResourceId, Condition> conditions = new HashMap<>();
        for (ResourceId id : resources(request)) {
            Optional<KnownResource> known = inventory.find(id);
            boolean inService = known.filter(KnownResource::enrolled).isPresent();
            String name = known.map(r -> r.allocation().name()).orElse("");
            List<Hand> hands =
                    index.holders(id).stream().map(holder -> new Hand(holder, true)).toList();
            conditions.put(id, new Condition(name, inService, null, hands));
        }
        return conditions;
    }

    private List<Tenure> takeUpInGroup(TakeUp request) {
        List<Tenure> tenures = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            List<ResourceId> resources =
                    granted.allocations().stream().map(Allocation::resource).toList();
            if (!resources.isEmpty()) {
                tenures.add(
                        group.takeUp(
                                request.lease(),
                                granted.reservation(),
                                resources,
                                granted.period().start()));
            }
        }
        return tenures;
    }

    Grant takeUp(TakeUp request) {
        wariness.looked();
        if (resources(request).isEmpty()) {
            return new Grant.TakenUp(List.of(), List.of());
        }
        Map<ResourceId, Condition> conditions = holders.conditions(resources(request));
        List<Unfit> unfit = unfit(request, conditions);
        if (!unfit.isEmpty() && conditions.values().stream().anyMatch(c -> !c.hands().isEmpty())) {
            // Whoever is about to let go either did, or waits until it is known that we wait.
            Map<ResourceId, List<Hand>> lasting = holders.lock(resources(request));
            conditions.replaceAll((id, seen) -> seen.in(lasting.getOrDefault(id, List.of())));
            unfit = unfit(request, conditions);
        }
        return unfit.isEmpty() ? finish(request, Map.of(), List.of()) : replace(request, unfit);
    }

    static List<ReservationId> reservations(TakeUp request) {
        return request.reservations().stream().map(Granted::reservation).toList();
    }

    private static List<ResourceId> resources(TakeUp request) {
        return request.reservations().stream()
                .flatMap(granted -> granted.allocations().stream())
                .map(Allocation::resource)
                .toList();
    }

    private static List<Unfit> unfit(TakeUp request, Map<ResourceId, Condition> conditions) {
        List<Unfit> unfit = new ArrayList<>();
        for (Granted granted : request.reservations()) {
            for (Allocation allocation : granted.allocations()) {
                Condition condition = Objects.requireNonNull(conditions.get(allocation.resource()));
                List<ReservationId> inTheWay =
                        condition.inTheWayOf(granted.reservation(), allocation);
                if (!condition.inService()) {
                    unfit.add(new Unfit(granted, allocation, condition.outOfService(), List.of()));
                } else if (!inTheWay.isEmpty()) {
                    unfit.add(
                            new Unfit(
                                    granted, allocation, condition.stillHeld(inTheWay), inTheWay));
                }
            }
        }
        return unfit;
    }

    private Grant replace(TakeUp request, List<Unfit> unfit) {
        // Out of service is worse than late: what is free goes to those first.
        List<Unfit> inNeed =
                unfit.stream().sorted((a, b) -> Boolean.compare(a.isLate(), b.isLate())).toList();
        if (index.isReady() && !isShared(request) && inNeed.stream().allMatch(Unfit::isLate)) {
            // Whoever waits is woken by the release. When thousands change hands in one second,
            // nothing else is free, and a look at all claims for each of them takes a minute.
            List<List<ResourceId>> known =
                    replacements(inNeed, inventories.latest(), new Whole(index));
            if (known.stream().anyMatch(List::isEmpty)) {
                return unmet(without(inNeed, known));
            }
        }
        for (int look = 0; look < LOOKS; look++) {
            Inventory inventory = inventories.latest();
            Optional<Free> free = look(request, inNeed, inventory);
            if (free.isEmpty()) {
                inventories.reload();
                continue;
            }
            List<List<ResourceId>> found = replacements(inNeed, inventory, free.get());
            Map<Unfit, KnownResource> replacements = new LinkedHashMap<>();
            for (int i = 0; i < inNeed.size(); i++) {
                if (found.get(i).isEmpty()) {
                    return unmet(without(inNeed, found));
                }
                KnownResource by = inventory.find(found.get(i).getFirst()).orElseThrow();
                @Nullable Share share = inNeed.get(i).allocation().share();
                replacements.put(inNeed.get(i), share == null ? by : by.part(share));
            }
            return move(request, inventory, replacements);
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    /**
     * What could take the place of something; empty if the inventory is not the tables' any more.
     */
    private Optional<Free> look(TakeUp request, List<Unfit> inNeed, Inventory inventory) {
        Snapshot.Question question = question(inNeed);
        if (isShared(request)) {
            Claims.Survey survey =
                    claims.survey(
                            Claims.hull(question.windows()), concerned(request, inNeed, inventory));
            return survey.inventoryVersion() == inventory.version()
                    ? Optional.of(
                            new Shares(inventory, survey, survey.snapshot(question.windows())))
                    : Optional.empty();
        }
        Snapshot snapshot = claims.look(question);
        return snapshot.inventoryVersion() == inventory.version()
                ? Optional.of(new Whole(snapshot))
                : Optional.empty();
    }

    private static Set<ResourceId> concerned(
            TakeUp request, List<Unfit> inNeed, Inventory inventory) {
        Set<ResourceId> concerned = new HashSet<>(resources(request));
        inNeed.forEach(
                unfit ->
                        inventory
                                .candidates(unfit.demand(inventory))
                                .forEach(each -> concerned.add(each.id())));
        return concerned;
    }

    private Snapshot.Question question(List<Unfit> inNeed) {
        return new Snapshot.Question(
                inNeed.stream().map(this::window).collect(Collectors.toSet()), true, false);
    }

    private LeasePeriod window(Unfit unfit) {
        return claims.toClaim(unfit.granted().period());
    }

    private List<List<ResourceId>> replacements(
            List<Unfit> inNeed, Inventory inventory, Free free) {
        // With as many options as there are seekers, one never takes another's last.
        return Allotment.of(
                inNeed.stream()
                        .map(unfit -> seeker(unfit, inventory, free, inNeed.size()))
                        .toList());
    }

    private Allotment.Seeker seeker(Unfit unfit, Inventory inventory, Free free, int enough) {
        Demand demand = unfit.demand(inventory);
        LeasePeriod window = window(unfit);
        if (isRequired(unfit, demand)) {
            return new Allotment.Seeker(1, 1, List.of(), List.of());
        }
        return new Allotment.Seeker(
                1,
                1,
                List.of(),
                inventory.candidates(demand).stream()
                        .filter(resource -> free.mayReplace(unfit, resource, window))
                        .map(KnownResource::id)
                        .limit(enough)
                        .toList());
    }

    /** Nothing is as good as what was asked for by name. */
    private static boolean isRequired(Unfit unfit, Demand demand) {
        return switch (demand) {
            case Demand.Whole whole -> whole.required().contains(unfit.allocation().name());
            case Demand.Shared _ -> false;
        };
    }

    /** Tells what could take the place of a resource that cannot serve. */
    private interface Free {

        boolean mayReplace(Unfit unfit, KnownResource resource, LeasePeriod window);
    }

    private record Whole(Occupation occupation) implements Free {

        @Override
        public boolean mayReplace(Unfit unfit, KnownResource resource, LeasePeriod window) {
            return occupation.isFree(resource.id(), window) && !occupation.isHeld(resource.id());
        }
    }

    /** A share moves as it is, to where its reservation has nothing else. */
    private record Shares(Inventory inventory, Claims.Survey survey, Snapshot snapshot, Rooms rooms)
            implements Free {

        Shares(Inventory inventory, Claims.Survey survey, Snapshot snapshot) {
            this(inventory, survey, snapshot, new Rooms(survey.claims()));
        }

        @Override
        public boolean mayReplace(Unfit unfit, KnownResource resource, LeasePeriod window) {
            @Nullable Share share = unfit.allocation().share();
            if (share == null) {
                return new Whole(snapshot).mayReplace(unfit, resource, window);
            }
            Left left = new Left(unfit.demand(inventory).requirement());
            return !survey.heldWhole().contains(resource.id())
                    && unfit.granted().allocations().stream()
                            .noneMatch(held -> held.resource().equals(resource.id()))
                    && rooms.on(resource).slots(share.needs(), left, window) >= share.slots();
        }
    }

    /** Those for whom nothing was found. */
    private static List<Unfit> without(List<Unfit> inNeed, List<List<ResourceId>> found) {
        return IntStream.range(0, inNeed.size())
                .filter(i -> found.get(i).isEmpty())
                .mapToObj(inNeed::get)
                .toList();
    }

    private static Grant unmet(List<Unfit> needs) {
        Set<ReservationId> holders = new LinkedHashSet<>();
        for (Unfit unfit : needs) {
            if (!unfit.isLate()) {
                return new Grant.Unserviceable(unfit.granted().reservation(), unfit.reason());
            }
            holders.addAll(unfit.holders());
        }
        return new Grant.Awaited(
                List.copyOf(holders),
                needs.stream().map(Unfit::reason).collect(Collectors.joining("; ")));
    }

    /** The claim on what cannot serve becomes a claim on what can. */
    private Grant move(
            TakeUp request, Inventory inventory, Map<Unfit, KnownResource> replacements) {
        List<Offer> offers = new ArrayList<>();
        replacements.forEach(
                (unfit, replacement) -> {
                    Granted granted = unfit.granted();
                    claims.drop(granted.reservation(), List.of(unfit.allocation().resource()));
                    offers.add(
                            new Offer(
                                    request.lease(),
                                    request.project(),
                                    granted.reservation(),
                                    claims.toClaim(granted.period()),
                                    List.of(replacement),
                                    Set.of(),
                                    unfit.demand(inventory)));
                });
        Map<ReservationId, Set<ResourceId>> claimed = claiming.claim(offers);
        if (claimed.values().stream().mapToInt(Set::size).sum() < replacements.size()) {
            throw new CalendarContention("somebody else took the replacement");
        }
        Map<Place, Allocation> moved = new HashMap<>();
        List<Replacement> told = new ArrayList<>();
        replacements.forEach(
                (unfit, by) -> {
                    moved.put(unfit.place(), by.allocation());
                    told.add(
                            new Replacement(
                                    unfit.granted().reservation(),
                                    unfit.allocation().resource(),
                                    by.allocation(),
                                    unfit.reason()));
                });
        return finish(request, moved, told);
    }

    private Grant finish(
            TakeUp request, Map<Place, Allocation> moved, List<Replacement> replacements) {
        Map<ReservationId, List<Allocation>> taken = new LinkedHashMap<>();
        Instant now = Instant.MAX;
        for (Granted granted : request.reservations()) {
            taken.put(
                    granted.reservation(),
                    granted.allocations().stream()
                            .map(
                                    held ->
                                            moved.getOrDefault(
                                                    new Place(
                                                            granted.reservation(), held.resource()),
                                                    held))
                            .toList());
            now = granted.period().start();
        }
        return new Grant.TakenUp(holders.takeUp(request.lease(), taken, now), replacements);
    }

    /** A reservation's place on a resource. */
    private record Place(ReservationId reservation, ResourceId resource) {}

    /**
     * A granted resource, or share of it, that cannot be taken up.
     *
     * @param holders who is in the way; empty when it is out of service
     */
    private record Unfit(
            Granted granted, Allocation allocation, String reason, List<ReservationId> holders) {

        boolean isLate() {
            return !holders.isEmpty();
        }

        Demand demand(Inventory inventory) {
            return inventory.servedBy(allocation.resource(), granted.demands());
        }

        Place place() {
            return new Place(granted.reservation(), allocation.resource());
        }
    }
}
