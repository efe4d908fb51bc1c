package org.leasehold.command.calendar.index;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline;
import org.leasehold.command.calendar.timeline.FreeSlotTimeline;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.resource.PropertyNames;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Answers queries about availability. It uses the index once that includes all that was committed
 * before the query. Else it uses the database, with the same arithmetic, which explains refusals as
 * well.
 */
public final class CalendarAvailability implements Availability, PropertyNames {

    private static final int MAX_ATTEMPTS = 5;

    /** The longest wait for the index; by then the database would have answered. */
    private static final Duration INDEX_TIMEOUT = Duration.ofMillis(50);

    private final InventoryCache inventories;
    private final Claims claims;
    private final ClaimIndex index;
    private final ClaimIndexConsumer indexConsumer;

    public CalendarAvailability(
            InventoryCache inventories, Claims claims, ClaimIndex index, ClaimIndexConsumer feed) {
        this.inventories = inventories;
        this.claims = claims;
        this.index = index;
        this.indexConsumer = feed;
    }

    @Override
    public List<Opening> find(FindAvailability question) {
        Demand demand = question.demand();
        Duration length = question.duration().plus(claims.cleaning());
        for (int look = 0; look < MAX_ATTEMPTS; look++) {
            InventorySnapshot inventory = inventories.latest();
            Claims.Head head = claims.head();
            if (head.inventoryVersion() == inventory.version()) {
                return switch (demand) {
                    case Demand.Whole whole ->
                            findOpenings(whole, inventory, question, length, head);
                    case Demand.Shared shared -> findOpenings(shared, inventory, question, length);
                };
            }
            inventories.reload();
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    @Override
    public Set<String> findKnown(ResourceKind kind, Set<String> wanted) {
        Set<String> known = inventories.latest().propertyNames(kind);
        // Memory may lag behind; only the database can say that a name is unknown.
        return known.containsAll(wanted)
                ? known
                : inventories.ofVersion(claims.head().inventoryVersion()).propertyNames(kind);
    }

    private List<Opening> findOpenings(
            Demand.Whole demand,
            InventorySnapshot inventory,
            FindAvailability question,
            Duration length,
            Claims.Head head) {
        List<ResourceId> required = inventory.findRequired(demand);
        if (required.size() < demand.required().size()) {
            return List.of();
        }
        List<ResourceId> fitting = inventory.findMatchingIds(demand.kind(), demand.requirement());
        return freeTime(fitting, required, question, length, head)
                .openings(
                        demand.minimum(),
                        length,
                        question.earliest(),
                        question.horizon(),
                        question.limit());
    }

    /**
     * Searches the tables for openings of shared resources. The index has the claims on shares as
     * well, but this search does not use it.
     */
    private List<Opening> findOpenings(
            Demand.Shared demand,
            InventorySnapshot inventory,
            FindAvailability question,
            Duration length) {
        List<CachedResource> matching = inventory.findCandidates(demand);
        List<FreeResourceTimeline.Claim> claimed =
                claims.survey(searchSpan(question, length), inventory.findCandidateIds(demand))
                        .claims();
        return new FreeSlotTimeline(demand, matching, claimed)
                .openings(length, question.earliest(), question.horizon(), question.limit());
    }

    private static LeasePeriod searchSpan(FindAvailability question, Duration length) {
        return new LeasePeriod(question.earliest(), question.horizon().plus(length));
    }

    private FreeResourceTimeline freeTime(
            List<ResourceId> matching,
            List<ResourceId> required,
            FindAvailability question,
            Duration length,
            Claims.Head head) {
        if (indexConsumer.awaitPosition(head.position(), INDEX_TIMEOUT)) {
            return FreeResourceTimeline.of(matching, index::slots)
                    .limitedTo(FreeResourceTimeline.of(required, index::slots));
        }
        List<FreeResourceTimeline.Claim> claimed =
                claims.survey(searchSpan(question, length), matching).claims();
        return FreeResourceTimeline.of(matching, claimed)
                .limitedTo(FreeResourceTimeline.of(required, claimed));
    }
}
