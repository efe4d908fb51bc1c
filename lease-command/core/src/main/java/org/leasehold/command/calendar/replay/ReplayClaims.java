package org.leasehold.command.calendar.replay;

import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.command.calendar.verification.LeaseCalendarProjection.Promise;
import org.leasehold.command.calendar.verification.LeaseCalendarProjection.Slot;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The claims of a {@link ReplayCalendar}, by resource. */
final class ReplayClaims implements Claims {

    private final ReplayResources resources;
    private final ReplayHolders holders;
    private final InMemorySavepoints savepoints;
    private final Map<ResourceId, List<Entry>> byResource = new HashMap<>();
    private final Map<ReservationId, List<Entry>> byReservation = new HashMap<>();
    private Duration cleaning = Duration.ZERO;

    ReplayClaims(ReplayResources resources, ReplayHolders holders, InMemorySavepoints undoing) {
        this.resources = resources;
        this.holders = holders;
        this.savepoints = undoing;
    }

    /** A claim, and the part of its window for cleaning. */
    private record Entry(LeaseId lease, ReservationId reservation, Claim claim, Duration cleaning) {

        Entry endingAt(Instant end, Duration needed) {
            LeasePeriod during = new LeasePeriod(claim.during().start(), end);
            return new Entry(
                    lease, reservation, new Claim(claim.resource(), during, claim.share()), needed);
        }

        boolean overlaps(LeasePeriod window) {
            return claim.during().overlaps(window);
        }
    }

    /** Sets the cleaning time after leases from now on. */
    void cleaning(Duration newCleaning) {
        cleaning = newCleaning;
    }

    @Override
    public Duration cleaning() {
        return cleaning;
    }

    @Override
    public CalendarSnapshot readSnapshot(CalendarSnapshot.Question question) {
        Map<LeasePeriod, Set<ResourceId>> claimed = new HashMap<>();
        for (LeasePeriod window : question.windows()) {
            claimed.put(window, claimedIn(window));
        }
        Map<ResourceId, Integer> counts = new HashMap<>();
        if (question.counts()) {
            LeasePeriod around = Claims.spreadWindow(question.windows());
            claims(around).forEach(claim -> counts.merge(claim.resource(), 1, Integer::sum));
        }
        return new CalendarSnapshot(
                resources.version(), 0, claimed, holders.heldResources(), counts);
    }

    private Set<ResourceId> claimedIn(LeasePeriod window) {
        Set<ResourceId> claimed = new HashSet<>();
        byResource.forEach(
                (resource, entries) -> {
                    if (entries.stream().anyMatch(entry -> entry.overlaps(window))) {
                        claimed.add(resource);
                    }
                });
        return claimed;
    }

    private Stream<Claim> claims(LeasePeriod window) {
        return byResource.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.overlaps(window))
                .map(Entry::claim);
    }

    @Override
    public Head head() {
        return new Head(resources.version(), 0);
    }

    @Override
    public void lockHead() {
        // No other transaction exists.
    }

    @Override
    public Optional<Survey> survey(LeasePeriod span, Collection<ResourceId> asked, int maxClaims) {
        if (claims(span).limit(maxClaims + 1L).count() > maxClaims) {
            return Optional.empty();
        }
        return Optional.of(
                new Survey(
                        resources.version(),
                        0,
                        holders.heldResources(),
                        holders.heldWhole(),
                        findTouching(List.copyOf(asked), span)));
    }

    @Override
    public Map<ReservationId, List<Claim>> deleteAll(Collection<ReservationId> reservations) {
        Map<ReservationId, List<Claim>> taken = new LinkedHashMap<>();
        for (ReservationId reservation : reservations) {
            List<Entry> entries = entriesOf(reservation);
            if (!entries.isEmpty()) {
                taken.put(reservation, entries.stream().map(Entry::claim).toList());
                entries.forEach(this::remove);
            }
        }
        return taken;
    }

    private List<Entry> entriesOf(ReservationId reservation) {
        return byReservation.getOrDefault(reservation, List.of()).stream()
                .sorted(Comparator.comparing(entry -> entry.claim().resource()))
                .toList();
    }

    @Override
    public void delete(ReservationId reservation, Collection<ResourceId> dropped) {
        entriesOf(reservation).stream()
                .filter(entry -> dropped.contains(entry.claim().resource()))
                .forEach(this::remove);
    }

    @Override
    public void lock(List<ResourceId> locked) {
        // No other transaction exists.
    }

    @Override
    public List<Claim> findTouching(List<ResourceId> asked, LeasePeriod window) {
        return asked.stream()
                .flatMap(resource -> byResource.getOrDefault(resource, List.of()).stream())
                .filter(entry -> entry.overlaps(window))
                .map(Entry::claim)
                .toList();
    }

    @Override
    public Map<ReservationId, Set<ResourceId>> claim(List<Offer> offers) {
        Map<ReservationId, Set<ResourceId>> claimed = new LinkedHashMap<>();
        offers.forEach(offer -> claimed.put(offer.reservation(), new HashSet<>()));
        for (Offer offer : offers) {
            for (CachedResource resource : offer.resources()) {
                Entry entry = entry(offer, resource);
                if ((offer.kept().contains(resource.id()) || resource.enrolled())
                        && isFree(entry.claim())) {
                    add(entry);
                    Objects.requireNonNull(claimed.get(offer.reservation())).add(resource.id());
                }
            }
        }
        return claimed;
    }

    private Entry entry(Offer offer, CachedResource resource) {
        return new Entry(
                offer.lease(),
                offer.reservation(),
                new Claim(resource.id(), offer.window(), resource.allocation().share()),
                cleaning);
    }

    /** Adds an existing promise. */
    void addExisting(LeaseId lease, Slot slot, Promise promise) {
        LeasePeriod during = new LeasePeriod(promise.from(), promise.endOfCleaning());
        Claim claim = new Claim(slot.resource(), during, promise.share());
        write(new Entry(lease, slot.reservation(), claim, promise.cleaning()));
    }

    private boolean isFree(Claim claim) {
        return byResource.getOrDefault(claim.resource(), List.of()).stream()
                .filter(entry -> entry.overlaps(claim.during()))
                .allMatch(entry -> entry.claim().share() != null && claim.share() != null);
    }

    @Override
    public Live findUnexpired(Instant now) {
        return live(entry -> entry.claim().during().end().isAfter(now));
    }

    @Override
    public Live findUnexpired(Set<LeaseId> leases, Instant now) {
        return live(
                entry ->
                        leases.contains(entry.lease())
                                && entry.claim().during().end().isAfter(now));
    }

    private Live live(Predicate<Entry> condition) {
        return new Live(
                0,
                byReservation.values().stream()
                        .flatMap(List::stream)
                        .filter(condition)
                        .collect(
                                Collectors.groupingBy(
                                        Entry::lease,
                                        Collectors.groupingBy(
                                                Entry::reservation,
                                                Collectors.mapping(
                                                        Entry::claim, Collectors.toList())))));
    }

    @Override
    public void shorten(LeaseId lease, Collection<ReservationId> reservations, Instant end) {
        for (ReservationId reservation : reservations) {
            for (Entry entry : entriesOf(reservation)) {
                Duration needed =
                        holders.isHolder(reservation, entry.claim().resource())
                                ? entry.cleaning()
                                : Duration.ZERO;
                Instant until = end.plus(needed);
                if (!entry.claim().during().start().isBefore(until)) {
                    remove(entry);
                } else if (entry.claim().during().end().isAfter(until)) {
                    remove(entry);
                    add(entry.endingAt(until, needed));
                }
            }
        }
    }

    @Override
    public int deleteEndedBefore(Instant instant, int limit) {
        List<Entry> over =
                byResource.values().stream()
                        .flatMap(List::stream)
                        .filter(entry -> !entry.claim().during().end().isAfter(instant))
                        .limit(limit)
                        .toList();
        over.forEach(this::erase);
        return over.size();
    }

    private void add(Entry entry) {
        write(entry);
        savepoints.registerUndo(() -> erase(entry));
    }

    private void remove(Entry entry) {
        erase(entry);
        savepoints.registerUndo(() -> write(entry));
    }

    private void write(Entry entry) {
        byResource.computeIfAbsent(entry.claim().resource(), _ -> new ArrayList<>()).add(entry);
        byReservation.computeIfAbsent(entry.reservation(), _ -> new ArrayList<>()).add(entry);
    }

    private void erase(Entry entry) {
        removeEntry(byResource, entry.claim().resource(), entry);
        removeEntry(byReservation, entry.reservation(), entry);
    }

    private static <K> void removeEntry(Map<K, List<Entry>> entries, K key, Entry entry) {
        entries.computeIfPresent(
                key,
                (_, entriesOfKey) -> {
                    entriesOfKey.remove(entry);
                    return entriesOfKey.isEmpty() ? null : entriesOfKey;
                });
    }
}
