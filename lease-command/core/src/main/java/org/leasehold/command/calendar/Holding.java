package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Carries out {@link Hold}: look, choose, claim; or explain why not. */
final class Holding {

    /** How far beyond a window's start another start is looked for. */
    static final Duration HORIZON = Duration.ofDays(30);

    /** The inventory changes seldom: that it does so time and again during one hold is a fault. */
    private static final int LOOKS = 5;

    private final Inventories inventories;
    private final Claims claims;
    private final Holders holders;

    Holding(Inventories inventories, Claims claims, Holders holders) {
        this.inventories = inventories;
        this.claims = claims;
        this.holders = holders;
    }

    Grant hold(Hold request) {
        if (request.wanted().isEmpty()) {
            return new Grant.Held(Map.of(), claims.cleaning(), List.of());
        }
        Map<ReservationId, List<Claim>> before =
                replaces(request) ? claims.takeBack(reservations(request)) : Map.of();
        for (int look = 0; look < LOOKS; look++) {
            Inventory inventory = inventories.latest();
            Snapshot snapshot = claims.look(question(request));
            if (snapshot.inventoryVersion() != inventory.version()) {
                inventories.reload();
                continue;
            }
            Choice choice = choose(request, inventory, snapshot, before);
            if (choice.isComplete()) {
                return claim(request, choice);
            }
            Claims.Survey survey = claims.survey(span(request));
            if (survey.inventoryVersion() == inventory.version()) {
                Snapshot surveyed = survey.snapshot(question(request).windows());
                Choice confirmed = choose(request, inventory, surveyed, before);
                if (!confirmed.isComplete()) {
                    return refuse(request, inventory, confirmed, survey);
                }
            }
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    /** Whether any of the reservations has claims already. */
    static boolean replaces(Hold request) {
        return request.wanted().stream().anyMatch(wanted -> !wanted.current().isEmpty());
    }

    static List<ReservationId> reservations(Hold request) {
        return request.wanted().stream().map(Wanted::reservation).toList();
    }

    private Snapshot.Question question(Hold request) {
        return new Snapshot.Question(
                request.wanted().stream().map(this::window).collect(Collectors.toSet()),
                request.wanted().stream().anyMatch(Wanted::running),
                request.wanted().stream()
                        .anyMatch(w -> w.demand().selection() == Demand.Selection.SPREAD));
    }

    private LeasePeriod window(Wanted wanted) {
        return claims.toClaim(wanted.period());
    }

    private Choice choose(
            Hold request,
            Inventory inventory,
            Snapshot snapshot,
            Map<ReservationId, List<Claim>> before) {
        List<Suitors> suitors = new ArrayList<>();
        Set<ResourceId> fixed = new HashSet<>();
        for (Wanted wanted : request.wanted()) {
            Suitors found =
                    wanted.running()
                            ? forRunning(
                                    wanted,
                                    inventory,
                                    snapshot,
                                    before.getOrDefault(wanted.reservation(), List.of()))
                            : forPlanned(wanted, inventory, snapshot);
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

    private Suitors forPlanned(Wanted wanted, Inventory inventory, Snapshot snapshot) {
        LeasePeriod window = window(wanted);
        List<ResourceId> free =
                inventory.matching(wanted.demand().kind(), wanted.demand().requirement()).stream()
                        .map(KnownResource::id)
                        .filter(id -> snapshot.isFree(id, window))
                        .toList();
        Set<ResourceId> freeOnes = Set.copyOf(free);
        LinkedHashSet<ResourceId> options = new LinkedHashSet<>();
        wanted.current().stream().filter(freeOnes::contains).forEach(options::add);
        options.addAll(inOrder(free, wanted.demand().selection(), snapshot));
        return new Suitors(List.of(), List.of(), Set.of(), List.copyOf(options));
    }

    private Suitors forRunning(
            Wanted wanted, Inventory inventory, Snapshot snapshot, List<Claim> before) {
        LeasePeriod window = window(wanted);
        Demand demand = wanted.demand();
        List<KnownResource> needed =
                wanted.current().stream()
                        .flatMap(id -> inventory.find(id).stream())
                        .filter(r -> Inventory.meets(r, demand.kind(), demand.requirement()))
                        .limit(demand.maximum())
                        .toList();
        // A resource that went out of service is promised nothing new, but keeps its old promise.
        Set<ResourceId> promised =
                before.stream()
                        .filter(claim -> contains(claim.during(), window))
                        .map(Claim::resource)
                        .collect(Collectors.toSet());
        List<ResourceId> kept = new ArrayList<>();
        List<ResourceId> lost = new ArrayList<>();
        for (KnownResource resource : needed) {
            boolean stays =
                    snapshot.isFree(resource.id(), window)
                            && (resource.enrolled() || promised.contains(resource.id()));
            (stays ? kept : lost).add(resource.id());
        }
        Predicate<ResourceId> joins =
                id ->
                        snapshot.isFree(id, window)
                                && !snapshot.held().contains(id)
                                && !wanted.current().contains(id);
        List<ResourceId> joining =
                inventory.matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .filter(joins)
                        .toList();
        return new Suitors(kept, lost, promised, inOrder(joining, demand.selection(), snapshot));
    }

    private static List<ResourceId> inOrder(
            List<ResourceId> byId, Demand.Selection selection, Snapshot snapshot) {
        return switch (selection) {
            case FIRST_FIT -> byId;
            case SPREAD ->
                    byId.stream().sorted(Comparator.comparingInt(snapshot::claimsOn)).toList();
        };
    }

    private static boolean contains(LeasePeriod outer, LeasePeriod inner) {
        return !inner.start().isBefore(outer.start()) && !inner.end().isAfter(outer.end());
    }

    private Grant claim(Hold request, Choice choice) {
        List<Offer> offers = new ArrayList<>();
        for (int i = 0; i < request.wanted().size(); i++) {
            Wanted wanted = request.wanted().get(i);
            offers.add(
                    new Offer(
                            wanted.reservation(),
                            window(wanted),
                            choice.resources(i),
                            choice.suitors().get(i).promised(),
                            wanted.demand().requirement().properties()));
        }
        Map<ReservationId, Set<ResourceId>> claimed =
                claims.claim(request.lease(), request.project(), offers);
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        for (int i = 0; i < request.wanted().size(); i++) {
            Wanted wanted = request.wanted().get(i);
            Set<ResourceId> got = Objects.requireNonNull(claimed.get(wanted.reservation()));
            if (got.size() < wanted.demand().minimum()
                    || !got.containsAll(choice.suitors().get(i).fixed())) {
                throw new CalendarContention("somebody else was faster");
            }
            allocations.put(
                    wanted.reservation(),
                    choice.resources(i).stream()
                            .filter(resource -> got.contains(resource.id()))
                            .map(KnownResource::allocation)
                            .toList());
        }
        return new Grant.Held(allocations, claims.cleaning(), tenures(request, allocations));
    }

    /** What joins a running reservation is taken up at once; what leaves it stays in its hands. */
    private List<Tenure> tenures(Hold request, Map<ReservationId, List<Allocation>> allocations) {
        List<ReservationId> changed = new ArrayList<>();
        for (Wanted wanted : request.wanted()) {
            Set<ResourceId> granted =
                    Objects.requireNonNull(allocations.get(wanted.reservation())).stream()
                            .map(Allocation::resource)
                            .collect(Collectors.toCollection(LinkedHashSet::new));
            if (wanted.running() && !granted.equals(Set.copyOf(wanted.current()))) {
                changed.add(wanted.reservation());
                wanted.current().forEach(granted::remove);
                if (!granted.isEmpty()) {
                    holders.takeUp(
                            request.lease(),
                            Map.of(wanted.reservation(), List.copyOf(granted)),
                            wanted.period().start());
                }
            }
        }
        return changed.isEmpty() ? List.of() : holders.renew(changed);
    }

    private LeasePeriod span(Hold request) {
        List<LeasePeriod> windows = request.wanted().stream().map(this::window).toList();
        Instant start =
                windows.stream()
                        .map(LeasePeriod::start)
                        .min(Comparator.naturalOrder())
                        .orElseThrow();
        Instant end =
                windows.stream().map(LeasePeriod::end).max(Comparator.naturalOrder()).orElseThrow();
        return new LeasePeriod(start, end.plus(HORIZON));
    }

    private Grant refuse(Hold request, Inventory inventory, Choice choice, Claims.Survey survey) {
        List<Shortage> shortages = new ArrayList<>();
        for (int i = 0; i < request.wanted().size(); i++) {
            if (!choice.isMet(i)) {
                shortages.add(shortage(request.wanted().get(i), i, inventory, choice, survey));
            }
        }
        return new Grant.TooFew(shortages, survey.position());
    }

    private Shortage shortage(
            Wanted wanted, int index, Inventory inventory, Choice choice, Claims.Survey survey) {
        LeasePeriod window = window(wanted);
        Demand demand = wanted.demand();
        Suitors suitors = choice.suitors().get(index);
        if (!suitors.lost().isEmpty()) {
            List<ResourceId> needed =
                    Stream.concat(suitors.fixed().stream(), suitors.lost().stream()).toList();
            FreeTime.Part part = new FreeTime(needed, survey.claims()).scarcest(window);
            return new Shortage(
                    wanted.reservation(),
                    demand.kind(),
                    needed.size(),
                    needed.size(),
                    suitors.fixed().size(),
                    part.period(),
                    part.free(),
                    null);
        }
        Set<ResourceId> elsewhere = choice.takenByOthers(index);
        List<ResourceId> matching =
                inventory.matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .toList();
        FreeTime time =
                new FreeTime(
                        matching.stream()
                                .filter(id -> !elsewhere.contains(id))
                                .filter(id -> !wanted.running() || usableNow(id, suitors, survey))
                                .toList(),
                        survey.claims());
        FreeTime.Part part = time.scarcest(window);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.minimum(),
                matching.size(),
                time.throughout(window),
                part.period(),
                part.free(),
                wanted.running() ? null : nextStart(time, demand.minimum(), window));
    }

    private static boolean usableNow(ResourceId id, Suitors suitors, Claims.Survey survey) {
        return suitors.fixed().contains(id) || !survey.held().contains(id);
    }

    private static @Nullable Instant nextStart(FreeTime time, int wanted, LeasePeriod window) {
        return time
                .openings(wanted, window.length(), window.start(), window.start().plus(HORIZON), 1)
                .stream()
                .map(opening -> opening.starts().start())
                .findFirst()
                .orElse(null);
    }

    /**
     * The resources that would do for one reservation.
     *
     * @param fixed those that it runs on and keeps
     * @param lost those that it runs on and would have to keep, but cannot
     * @param promised those that it may keep although they are out of service
     * @param options what else would do, the most welcome first
     */
    private record Suitors(
            List<ResourceId> fixed,
            List<ResourceId> lost,
            Set<ResourceId> promised,
            List<ResourceId> options) {}

    /** What was chosen for each reservation. */
    private record Choice(
            Inventory inventory,
            List<Wanted> wanted,
            List<Suitors> suitors,
            List<List<ResourceId>> shares) {

        boolean isComplete() {
            for (int i = 0; i < wanted.size(); i++) {
                if (!isMet(i)) {
                    return false;
                }
            }
            return true;
        }

        boolean isMet(int index) {
            return suitors.get(index).lost().isEmpty()
                    && shares.get(index).size() >= wanted.get(index).demand().minimum();
        }

        List<KnownResource> resources(int index) {
            return shares.get(index).stream().map(id -> inventory.find(id).orElseThrow()).toList();
        }

        Set<ResourceId> takenByOthers(int index) {
            Set<ResourceId> taken = new HashSet<>();
            for (int i = 0; i < shares.size(); i++) {
                if (i != index) {
                    taken.addAll(shares.get(i));
                }
            }
            return taken;
        }
    }
}
