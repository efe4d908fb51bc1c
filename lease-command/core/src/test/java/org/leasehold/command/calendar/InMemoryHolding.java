package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.InMemoryTables.Claimed;
import org.leasehold.command.calendar.InMemoryTables.Held;
import org.leasehold.command.calendar.InMemoryTables.Listed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Carries out {@link Hold} on the tables in memory, by the plainest means. */
final class InMemoryHolding {

    /** Claims at this distance count when wear is spread. */
    private static final Duration SPREAD = Duration.ofDays(30);

    private final InMemoryTables tables;
    private final Duration cleaning;
    private final LongSupplier position;
    private final Runnable afterLook;

    InMemoryHolding(
            InMemoryTables tables, Duration cleaning, LongSupplier position, Runnable afterLook) {
        this.tables = tables;
        this.cleaning = cleaning;
        this.position = position;
        this.afterLook = afterLook;
    }

    /** What would do for one reservation, and what it got of that. */
    private record Share(
            Wanted wanted,
            List<ResourceId> fixed,
            List<ResourceId> lost,
            Set<ResourceId> promised,
            List<Listed> chosen) {

        boolean isMet() {
            return lost.isEmpty() && chosen.size() >= wanted.demand().minimum();
        }
    }

    Grant hold(Hold request) {
        Map<ReservationId, List<Claimed>> before = new LinkedHashMap<>();
        request.wanted().stream()
                .filter(wanted -> !wanted.current().isEmpty())
                .forEach(w -> before.put(w.reservation(), takeBack(w.reservation())));
        List<Share> shares = choose(request, before);
        if (before.isEmpty()) {
            afterLook.run();
        }
        if (!shares.stream().allMatch(Share::isMet)) {
            // A refusal is confirmed on what is true now.
            shares = choose(request, before);
            if (!shares.stream().allMatch(Share::isMet)) {
                return explain(shares);
            }
        }
        return claim(request, shares);
    }

    private List<Claimed> takeBack(ReservationId reservation) {
        List<Claimed> own =
                tables.allClaims().filter(c -> c.reservation().equals(reservation)).toList();
        own.forEach(claim -> drop(reservation, claim.resource()));
        return own;
    }

    void drop(ReservationId reservation, ResourceId resource) {
        tables.replaceClaims(
                resource,
                tables.claimsOn(resource)
                        .filter(c -> !c.reservation().equals(reservation))
                        .toList());
    }

    LeasePeriod toClaim(LeasePeriod period) {
        return new LeasePeriod(
                period.start().truncatedTo(ChronoUnit.MICROS),
                period.end().truncatedTo(ChronoUnit.MICROS).plus(cleaning));
    }

    boolean isFree(ResourceId resource, LeasePeriod window) {
        return tables.claimsOn(resource).noneMatch(claim -> claim.during().overlaps(window));
    }

    Stream<Listed> matching(Demand demand) {
        return tables.resources().values().stream()
                .filter(Listed::enrolled)
                .filter(listed -> meets(listed, demand));
    }

    private static boolean meets(Listed resource, Demand demand) {
        return resource.kind().equals(demand.kind())
                && demand.requirement().isMetBy(resource.allocation().properties());
    }

    private List<Share> choose(Hold request, Map<ReservationId, List<Claimed>> before) {
        List<Share> suitors = new ArrayList<>();
        for (Wanted wanted : request.wanted()) {
            suitors.add(
                    wanted.running() ? running(wanted, request, before) : planned(wanted, request));
        }
        Set<ResourceId> fixed =
                suitors.stream().flatMap(s -> s.fixed().stream()).collect(Collectors.toSet());
        List<Allotment.Seeker> seekers =
                suitors.stream()
                        .map(
                                s ->
                                        new Allotment.Seeker(
                                                s.wanted().demand().minimum(),
                                                s.wanted().demand().maximum(),
                                                s.fixed(),
                                                s.chosen().stream()
                                                        .map(Listed::id)
                                                        .filter(id -> !fixed.contains(id))
                                                        .toList()))
                        .toList();
        List<List<ResourceId>> allotted = Allotment.of(seekers);
        List<Share> shares = new ArrayList<>();
        for (int i = 0; i < suitors.size(); i++) {
            Share s = suitors.get(i);
            shares.add(
                    new Share(
                            s.wanted(),
                            s.fixed(),
                            s.lost(),
                            s.promised(),
                            allotted.get(i).stream().map(this::listed).toList()));
        }
        return shares;
    }

    private Listed listed(ResourceId id) {
        return Objects.requireNonNull(tables.resources().get(id));
    }

    private Share planned(Wanted wanted, Hold request) {
        LeasePeriod window = toClaim(wanted.period());
        List<ResourceId> current = wanted.current();
        List<Listed> options =
                inOrder(
                                matching(wanted.demand()).filter(r -> isFree(r.id(), window)),
                                wanted.demand(),
                                request)
                        .sorted(
                                Comparator.comparingInt(
                                        r ->
                                                current.contains(r.id())
                                                        ? current.indexOf(r.id())
                                                        : current.size()))
                        .toList();
        return new Share(wanted, List.of(), List.of(), Set.of(), options);
    }

    private Share running(Wanted wanted, Hold request, Map<ReservationId, List<Claimed>> before) {
        LeasePeriod window = toClaim(wanted.period());
        Demand demand = wanted.demand();
        Set<ResourceId> promised =
                before.getOrDefault(wanted.reservation(), List.of()).stream()
                        .filter(c -> !window.start().isBefore(c.during().start()))
                        .filter(c -> !window.end().isAfter(c.during().end()))
                        .map(Claimed::resource)
                        .collect(Collectors.toSet());
        Predicate<Listed> canStay =
                r -> isFree(r.id(), window) && (r.enrolled() || promised.contains(r.id()));
        List<ResourceId> kept = new ArrayList<>();
        List<ResourceId> lost = new ArrayList<>();
        wanted.current().stream()
                .flatMap(id -> Stream.ofNullable(tables.resources().get(id)))
                .filter(r -> meets(r, demand))
                .sorted(Comparator.comparing(canStay.negate()::test))
                .limit(demand.maximum())
                .forEach(r -> (canStay.test(r) ? kept : lost).add(r.id()));
        List<Listed> joining =
                inOrder(
                                matching(demand)
                                        .filter(r -> isFree(r.id(), window))
                                        .filter(r -> tables.holderOf(r.id()).isEmpty())
                                        .filter(r -> !wanted.current().contains(r.id())),
                                demand,
                                request)
                        .toList();
        return new Share(wanted, kept, lost, promised, joining);
    }

    private Stream<Listed> inOrder(Stream<Listed> byId, Demand demand, Hold request) {
        return switch (demand.selection()) {
            case FIRST_FIT -> byId;
            case SPREAD -> {
                LeasePeriod around = around(request);
                yield byId.sorted(
                        Comparator.comparingLong(
                                r ->
                                        tables.claimsOn(r.id())
                                                .filter(c -> c.during().overlaps(around))
                                                .count()));
            }
        };
    }

    private LeasePeriod around(Hold request) {
        List<LeasePeriod> windows =
                request.wanted().stream().map(Wanted::period).map(this::toClaim).toList();
        Instant first =
                windows.stream()
                        .map(LeasePeriod::start)
                        .min(Comparator.naturalOrder())
                        .orElseThrow();
        Instant last =
                windows.stream().map(LeasePeriod::end).max(Comparator.naturalOrder()).orElseThrow();
        return new LeasePeriod(first.minus(SPREAD), last.plus(SPREAD));
    }

    private Grant claim(Hold request, List<Share> shares) {
        Map<ReservationId, List<Allocation>> allocations = new LinkedHashMap<>();
        for (Share share : shares) {
            Wanted wanted = share.wanted();
            for (Listed chosen : share.chosen()) {
                claim(request.lease(), wanted, chosen, share.promised().contains(chosen.id()));
            }
            allocations.put(
                    wanted.reservation(), share.chosen().stream().map(Listed::allocation).toList());
        }
        return new Grant.Held(allocations, cleaning, tenures(request, allocations));
    }

    private void claim(LeaseId lease, Wanted wanted, Listed chosen, boolean promised) {
        claim(
                lease,
                wanted.reservation(),
                wanted.demand(),
                toClaim(wanted.period()),
                chosen,
                promised);
    }

    /**
     * Claims a resource that was seen before.
     *
     * @throws CalendarContention if it is not any more what it was, or somebody else was faster
     */
    void claim(
            LeaseId lease,
            ReservationId reservation,
            Demand demand,
            LeasePeriod window,
            Listed seen,
            boolean promised) {
        boolean unchanged = seen.enrolled() && seen.equals(tables.resources().get(seen.id()));
        Claimed claim =
                new Claimed(
                        seen.id(),
                        reservation,
                        lease,
                        window,
                        cleaning,
                        demand.requirement().properties());
        if ((!unchanged && !promised) || !tables.claim(claim)) {
            throw new CalendarContention("somebody else was faster");
        }
    }

    private List<Tenure> tenures(Hold request, Map<ReservationId, List<Allocation>> allocations) {
        List<Tenure> tenures = new ArrayList<>();
        for (Wanted wanted : request.wanted()) {
            Set<ResourceId> joining =
                    Objects.requireNonNull(allocations.get(wanted.reservation())).stream()
                            .map(Allocation::resource)
                            .collect(Collectors.toSet());
            if (wanted.running() && !joining.equals(Set.copyOf(wanted.current()))) {
                wanted.current().forEach(joining::remove);
                tenures.add(
                        takeUp(
                                request.lease(),
                                wanted.reservation(),
                                joining,
                                wanted.period().start()));
            }
        }
        return tenures;
    }

    /** Makes the reservation the holder of these, and renews its hold on what it has. */
    Tenure takeUp(LeaseId lease, ReservationId reservation, Set<ResourceId> taken, Instant now) {
        Tenure tenure = new Tenure(reservation, tables.nextGeneration());
        Set<ResourceId> all = new HashSet<>(taken);
        tables.holders()
                .forEach(
                        (id, held) -> {
                            if (held.reservation().equals(reservation)) {
                                all.add(id);
                            }
                        });
        all.stream()
                .sorted()
                .forEach(
                        id ->
                                tables.hold(
                                        id,
                                        new Held(
                                                reservation,
                                                lease,
                                                tenure.generation(),
                                                tables.holderOf(id).map(Held::since).orElse(now))));
        return tenure;
    }

    private Grant.TooFew explain(List<Share> shares) {
        List<FreeTime.Claim> claims =
                tables.allClaims().map(c -> new FreeTime.Claim(c.resource(), c.during())).toList();
        List<Shortage> shortages = new ArrayList<>();
        for (int place = 0; place < shares.size(); place++) {
            Share share = shares.get(place);
            if (!share.isMet()) {
                shortages.add(
                        share.lost().isEmpty()
                                ? tooFew(share, takenByOthers(place, shares), claims)
                                : lost(share, claims));
            }
        }
        return new Grant.TooFew(shortages, position.getAsLong());
    }

    private Shortage lost(Share share, List<FreeTime.Claim> claims) {
        List<ResourceId> needed =
                Stream.concat(share.fixed().stream(), share.lost().stream()).toList();
        FreeTime.Part part = FreeTime.of(needed, claims).scarcest(toClaim(share.wanted().period()));
        return new Shortage(
                share.wanted().reservation(),
                share.wanted().demand().kind(),
                needed.size(),
                needed.size(),
                share.fixed().size(),
                part.period(),
                part.free(),
                null);
    }

    private static Set<ResourceId> takenByOthers(int place, List<Share> shares) {
        Set<ResourceId> taken = new HashSet<>();
        for (int other = 0; other < shares.size(); other++) {
            if (other != place) {
                shares.get(other).chosen().forEach(chosen -> taken.add(chosen.id()));
            }
        }
        return taken;
    }

    private Shortage tooFew(
            Share share, Set<ResourceId> takenByOthers, List<FreeTime.Claim> claims) {
        Wanted wanted = share.wanted();
        Demand demand = wanted.demand();
        LeasePeriod window = toClaim(wanted.period());
        List<ResourceId> matching = matching(demand).map(Listed::id).toList();
        List<ResourceId> usable =
                matching.stream()
                        .filter(id -> !takenByOthers.contains(id))
                        .filter(
                                id ->
                                        !wanted.running()
                                                || share.fixed().contains(id)
                                                || tables.holderOf(id).isEmpty())
                        .toList();
        FreeTime time = FreeTime.of(usable, claims);
        FreeTime.Part part = time.scarcest(window);
        Instant nextStart =
                wanted.running()
                        ? null
                        : time
                                .openings(
                                        demand.minimum(),
                                        window.length(),
                                        window.start(),
                                        window.start().plus(Refusal.HORIZON),
                                        1)
                                .stream()
                                .map(opening -> opening.starts().start())
                                .findFirst()
                                .orElse(null);
        return new Shortage(
                wanted.reservation(),
                demand.kind(),
                demand.minimum(),
                matching.size(),
                time.throughout(window),
                part.period(),
                part.free(),
                nextStart);
    }
}
