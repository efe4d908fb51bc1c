package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.stored.InMemoryTables.Claimed;
import org.leasehold.command.calendar.stored.InMemoryTables.Held;
import org.leasehold.command.calendar.stored.InMemoryTables.Listed;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The claims of {@link InMemoryTables}. */
final class InMemoryClaims implements Claims {

    private final InMemoryTables tables;
    private final Duration cleaning;
    private final LongSupplier position;
    private final Runnable afterLook;

    InMemoryClaims(
            InMemoryTables tables, Duration cleaning, LongSupplier position, Runnable afterLook) {
        this.tables = tables;
        this.cleaning = cleaning;
        this.position = position;
        this.afterLook = afterLook;
    }

    @Override
    public Duration cleaning() {
        return cleaning;
    }

    @Override
    public CalendarSnapshot readSnapshot(CalendarSnapshot.Question question) {
        Map<LeasePeriod, Set<ResourceId>> claimed = new HashMap<>();
        question.windows().forEach(window -> claimed.put(window, claimedIn(window)));
        Map<ResourceId, Integer> counts = new HashMap<>();
        if (question.counts()) {
            claims(Claims.spreadWindow(question.windows()))
                    .forEach(claim -> counts.merge(claim.resource(), 1, Integer::sum));
        }
        Set<ResourceId> held = question.holders() ? held() : Set.of();
        CalendarSnapshot snapshot =
                new CalendarSnapshot(
                        tables.inventoryVersion(), position.getAsLong(), claimed, held, counts);
        afterLook.run();
        return snapshot;
    }

    private Set<ResourceId> claimedIn(LeasePeriod window) {
        return claims(window).stream().map(Claim::resource).collect(Collectors.toSet());
    }

    private List<Claim> claims(LeasePeriod window) {
        return tables.allClaims()
                .filter(claim -> claim.during().overlaps(window))
                .map(InMemoryClaims::claim)
                .toList();
    }

    private static Claim claim(Claimed claimed) {
        return new Claim(claimed.resource(), claimed.during(), claimed.share());
    }

    /** Returns only requested resources, so that a caller that requests too few finds too few. */
    private static Set<ResourceId> among(Set<ResourceId> all, Collection<ResourceId> resources) {
        Set<ResourceId> requested = new HashSet<>(all);
        requested.retainAll(resources);
        return requested;
    }

    private Set<ResourceId> held() {
        return Set.copyOf(tables.holders().keySet());
    }

    @Override
    public Head head() {
        afterLook.run();
        return new Head(tables.inventoryVersion(), position.getAsLong());
    }

    @Override
    public void lockHead() {
        // After a write, no other transaction runs before the commit.
    }

    @Override
    public Optional<Survey> survey(
            LeasePeriod span, Collection<ResourceId> resources, int maxClaims) {
        if (claims(span).size() > maxClaims) {
            return Optional.empty();
        }
        Set<ResourceId> heldWhole =
                tables.holders().entrySet().stream()
                        .filter(row -> row.getValue().stream().noneMatch(Held::shares))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
        return Optional.of(
                new Survey(
                        tables.inventoryVersion(),
                        position.getAsLong(),
                        among(held(), resources),
                        among(heldWhole, resources),
                        findTouching(List.copyOf(resources), span)));
    }

    @Override
    public Map<ReservationId, List<Claim>> deleteAll(Collection<ReservationId> reservations) {
        Map<ReservationId, List<Claim>> taken = new LinkedHashMap<>();
        for (Claimed claimed : matching(c -> reservations.contains(c.reservation()))) {
            taken.computeIfAbsent(claimed.reservation(), _ -> new ArrayList<>())
                    .add(claim(claimed));
            tables.unclaim(claimed);
        }
        return taken;
    }

    private List<Claimed> matching(Predicate<Claimed> condition) {
        return tables.allClaims().filter(condition).toList();
    }

    @Override
    public void delete(ReservationId reservation, Collection<ResourceId> resources) {
        matching(c -> c.reservation().equals(reservation) && resources.contains(c.resource()))
                .forEach(tables::unclaim);
    }

    @Override
    public void lock(List<ResourceId> resources) {
        // Transactions in memory run one after another.
    }

    @Override
    public List<Claim> findTouching(List<ResourceId> resources, LeasePeriod window) {
        return claims(window).stream()
                .filter(claim -> resources.contains(claim.resource()))
                .toList();
    }

    @Override
    public Map<ReservationId, Set<ResourceId>> claim(List<Offer> offers) {
        Map<ReservationId, Set<ResourceId>> claimed = new LinkedHashMap<>();
        offers.forEach(offer -> claimed.put(offer.reservation(), new HashSet<>()));
        offers.stream()
                .flatMap(offer -> offer.resources().stream().map(r -> new Candidate(offer, r)))
                .filter(candidate -> candidate.isAsSeen(tables))
                .sorted(Comparator.comparing(candidate -> candidate.resource().id()))
                .filter(candidate -> tables.claim(candidate.claim(cleaning)))
                .forEach(
                        candidate ->
                                Objects.requireNonNull(claimed.get(candidate.offer().reservation()))
                                        .add(candidate.resource().id()));
        return claimed;
    }

    /** A resource of an offer. */
    private record Candidate(Offer offer, CachedResource resource) {

        /**
         * Returns true for a kept resource, and for one that has not changed since it was chosen.
         */
        boolean isAsSeen(InMemoryTables tables) {
            Listed listed = tables.resources().get(resource.id());
            return offer.kept().contains(resource.id())
                    || (listed != null
                            && listed.enrolled()
                            && listed.version() == resource.marker());
        }

        Claimed claim(Duration cleaning) {
            return new Claimed(
                    resource.id(),
                    offer.reservation(),
                    offer.lease(),
                    offer.window(),
                    cleaning,
                    offer.reliedOnProperties(),
                    resource.allocation().share());
        }
    }

    @Override
    public Live findUnexpired(Instant now) {
        return live(claimed -> claimed.during().end().isAfter(now));
    }

    @Override
    public Live findUnexpired(Set<LeaseId> leases, Instant now) {
        return live(c -> c.during().end().isAfter(now) && leases.contains(c.lease()));
    }

    private Live live(Predicate<Claimed> condition) {
        Map<LeaseId, Map<ReservationId, List<Claim>>> leases = new LinkedHashMap<>();
        for (Claimed claimed : matching(condition)) {
            leases.computeIfAbsent(claimed.lease(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(claimed.reservation(), _ -> new ArrayList<>())
                    .add(claim(claimed));
        }
        return new Live(position.getAsLong(), leases);
    }

    @Override
    public void shorten(LeaseId lease, Collection<ReservationId> reservations, Instant end) {
        for (Claimed claimed :
                matching(c -> c.lease().equals(lease) && reservations.contains(c.reservation()))) {
            Duration needed = isHeld(claimed) ? claimed.cleaning() : Duration.ZERO;
            Instant until = end.plus(needed);
            Instant start = claimed.during().start();
            if (!start.isBefore(until)) {
                tables.unclaim(claimed);
            } else if (claimed.during().end().isAfter(until)) {
                tables.unclaim(claimed);
                tables.claim(claimed.lasting(new LeasePeriod(start, until), needed));
            }
        }
    }

    private boolean isHeld(Claimed claimed) {
        return tables.held(claimed.resource(), claimed.reservation()).isPresent();
    }

    @Override
    public int deleteEndedBefore(Instant instant, int limit) {
        List<Claimed> over =
                matching(c -> !c.during().end().isAfter(instant)).stream().limit(limit).toList();
        over.forEach(tables::unclaim);
        return over.size();
    }
}
