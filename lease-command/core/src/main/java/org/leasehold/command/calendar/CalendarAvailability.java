package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability;
import org.leasehold.query.PropertyNames;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Answers from the index, once it has taken in all that was committed before the question; or else
 * from the database, with the same arithmetic, which explains refusals as well.
 */
final class CalendarAvailability implements Availability, PropertyNames {

    private static final int LOOKS = 5;

    /** By then the database would have answered. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final Inventories inventories;
    private final Claims claims;
    private final ClaimIndex index;
    private final ClaimFeed feed;

    CalendarAvailability(Inventories inventories, Claims claims, ClaimIndex index, ClaimFeed feed) {
        this.inventories = inventories;
        this.claims = claims;
        this.index = index;
        this.feed = feed;
    }

    @Override
    public List<Opening> find(FindAvailability question) {
        Demand demand = question.demand();
        Duration length = question.duration().plus(claims.cleaning());
        for (int look = 0; look < LOOKS; look++) {
            Inventory inventory = inventories.latest();
            Claims.Head head = claims.head();
            if (head.inventoryVersion() == inventory.version()) {
                return switch (demand) {
                    case Demand.Whole whole -> openings(whole, inventory, question, length, head);
                    case Demand.Shared shared -> openings(shared, inventory, question, length);
                };
            }
            inventories.reload();
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    @Override
    public Set<String> known(ResourceKind kind, Set<String> wanted) {
        Inventory inventory = inventories.latest();
        Set<String> known = inventory.propertyNames(kind);
        // Memory may lag behind; only the database can say that a name is unknown.
        return known.containsAll(wanted) || claims.head().inventoryVersion() == inventory.version()
                ? known
                : inventories.reload().propertyNames(kind);
    }

    private List<Opening> openings(
            Demand.Whole demand,
            Inventory inventory,
            FindAvailability question,
            Duration length,
            Claims.Head head) {
        List<ResourceId> required = inventory.required(demand);
        if (required.size() < demand.required().size()) {
            return List.of();
        }
        List<ResourceId> fitting =
                inventory.matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .toList();
        return freeTime(fitting, required, question, length, head)
                .openings(
                        demand.minimum(),
                        length,
                        question.earliest(),
                        question.horizon(),
                        question.limit());
    }

    /** Memory does not know how much others have of what they share. */
    private List<Opening> openings(
            Demand.Shared demand, Inventory inventory, FindAvailability question, Duration length) {
        List<KnownResource> matching = inventory.candidates(demand);
        List<FreeTime.Claim> claimed =
                claims.survey(
                                span(question, length),
                                matching.stream().map(KnownResource::id).toList())
                        .claims();
        return new SharedTime(demand, matching, claimed)
                .openings(length, question.earliest(), question.horizon(), question.limit());
    }

    private static LeasePeriod span(FindAvailability question, Duration length) {
        return new LeasePeriod(question.earliest(), question.horizon().plus(length));
    }

    private FreeTime freeTime(
            List<ResourceId> matching,
            List<ResourceId> required,
            FindAvailability question,
            Duration length,
            Claims.Head head) {
        if (feed.reaches(head.position(), PATIENCE)) {
            return FreeTime.of(matching, index).whileFree(FreeTime.of(required, index));
        }
        List<FreeTime.Claim> claimed = claims.survey(span(question, length), matching).claims();
        return FreeTime.of(matching, claimed).whileFree(FreeTime.of(required, claimed));
    }
}
