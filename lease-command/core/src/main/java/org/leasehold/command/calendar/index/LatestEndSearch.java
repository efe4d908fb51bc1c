package org.leasehold.command.calendar.index;

import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.timeline.FreeCapacities;
import org.leasehold.command.calendar.timeline.FreeCapacity;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.capacity.LatestEnds;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Searches the tables of the calendar for the latest end of a lease. */
public final class LatestEndSearch implements LatestEnds {

    private static final FreeCapacityFilter NO_FILTER = new FreeCapacityFilter(Requirement.none());

    private final InventoryCache inventories;
    private final Claims claims;

    public LatestEndSearch(InventoryCache inventories, Claims claims) {
        this.inventories = inventories;
        this.claims = claims;
    }

    @Override
    public LatestEnd find(LeaseId lease, Set<ReservationId> reservations, Instant end) {
        List<Claim> own = ownClaims(lease, reservations);
        Optional<Instant> claimedUntil =
                own.stream().map(claim -> claim.during().end()).max(Comparator.naturalOrder());
        if (claimedUntil.isEmpty() || !claimedUntil.get().isBefore(LeasePeriod.MAX_TIME)) {
            return LatestEnd.UNLIMITED;
        }
        LeasePeriod later = new LeasePeriod(claimedUntil.get(), LeasePeriod.MAX_TIME);
        List<ResourceId> resources = own.stream().map(Claim::resource).distinct().toList();
        List<Claim> others = claims.findTouching(resources, later);
        Extension extension =
                new Extension(
                        own,
                        others,
                        later,
                        inventories.ofVersion(claims.head().inventoryVersion()));
        return own.stream()
                .flatMap(claim -> extension.limit(claim).stream())
                .min(Comparator.comparing(Limit::at))
                .map(limit -> limit.latestEnd(end, claims.cleaning()))
                .orElse(LatestEnd.UNLIMITED);
    }

    private List<Claim> ownClaims(LeaseId lease, Set<ReservationId> reservations) {
        return claims
                .findUnexpired(Set.of(lease), Instant.EPOCH)
                .leases()
                .getOrDefault(lease, Map.of())
                .entrySet()
                .stream()
                .filter(each -> reservations.contains(each.getKey()))
                .flatMap(each -> each.getValue().stream())
                .toList();
    }

    /** The extension of a lease, and the claims of others on its resources in that time. */
    private static final class Extension {

        private final LeasePeriod later;
        private final InventorySnapshot inventory;
        private final Map<ResourceId, List<Claim>> own;
        private final Map<ResourceId, List<Claim>> others;

        Extension(
                List<Claim> own,
                List<Claim> others,
                LeasePeriod later,
                InventorySnapshot inventory) {
            this.later = later;
            this.inventory = inventory;
            this.own = own.stream().collect(Collectors.groupingBy(Claim::resource));
            this.others = others.stream().collect(Collectors.groupingBy(Claim::resource));
        }

        /** Returns the limit of an own claim; empty if nothing limits it. */
        Optional<Limit> limit(Claim claim) {
            ResourceId id = claim.resource();
            Share share = claim.share();
            Optional<CachedResource> resource = inventory.find(id).filter(CachedResource::enrolled);
            Stream<Instant> limits =
                    resource.isEmpty()
                            ? Stream.of(later.start())
                            : share == null ? starts(id) : shortages(claim, share, resource.get());
            return limits.findFirst().map(at -> new Limit(at, id));
        }

        /** Returns the starts of the claims of others, in order; none is before the extension. */
        private Stream<Instant> starts(ResourceId resource) {
            return others.getOrDefault(resource, List.of()).stream()
                    .map(other -> other.during().start())
                    .map(start -> start.isBefore(later.start()) ? later.start() : start)
                    .sorted();
        }

        /**
         * Returns the instants at which a share does not fit. Use only grows at a start, but the
         * resource may have shrunk before.
         */
        private Stream<Instant> shortages(Claim claim, Share share, CachedResource resource) {
            FreeCapacity free = capacityBeside(claim).ofResource(resource);
            return Stream.concat(Stream.of(later.start()), starts(claim.resource()))
                    .filter(
                            at ->
                                    free.freeSlots(share.needs(), NO_FILTER, momentAt(at))
                                            < share.slots());
        }

        private FreeCapacities capacityBeside(Claim claim) {
            ResourceId id = claim.resource();
            FreeCapacities all = new FreeCapacities(others.getOrDefault(id, List.of()));
            own.getOrDefault(id, List.of()).forEach(each -> all.add(extended(each)));
            return all.without(List.of(extended(claim)));
        }

        private Claim extended(Claim claim) {
            return new Claim(claim.resource(), later, claim.share());
        }

        private static LeasePeriod momentAt(Instant instant) {
            return new LeasePeriod(instant, instant.plus(1, ChronoUnit.MICROS));
        }
    }

    /** The instant at which another booking needs a resource. */
    private record Limit(Instant at, ResourceId resource) {

        LatestEnd latestEnd(Instant end, Duration cleaning) {
            Instant latest = at.minus(cleaning);
            return new LatestEnd(latest.isBefore(end) ? end : latest, resource);
        }
    }
}
