package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability;

import java.time.Duration;
import java.util.List;

/** Answers with the arithmetic that also explains refusals. */
final class PostgresAvailability implements Availability {

    private static final int LOOKS = 5;

    private final Inventories inventories;
    private final Claims claims;

    PostgresAvailability(Inventories inventories, Claims claims) {
        this.inventories = inventories;
        this.claims = claims;
    }

    @Override
    public List<Opening> find(FindAvailability question) {
        Duration length = question.duration().plus(claims.cleaning());
        LeasePeriod span = new LeasePeriod(question.earliest(), question.horizon().plus(length));
        for (int look = 0; look < LOOKS; look++) {
            Inventory inventory = inventories.latest();
            Claims.Survey survey = claims.survey(span);
            if (survey.inventoryVersion() == inventory.version()) {
                return openings(question, length, inventory, survey);
            }
            inventories.reload();
        }
        throw new CalendarContention("the inventory changed with every look at it");
    }

    private static List<Opening> openings(
            FindAvailability question, Duration length, Inventory inventory, Claims.Survey survey) {
        Demand demand = question.demand();
        List<ResourceId> matching =
                inventory.matching(demand.kind(), demand.requirement()).stream()
                        .map(KnownResource::id)
                        .toList();
        return new FreeTime(matching, survey.claims())
                .openings(
                        demand.minimum(),
                        length,
                        question.earliest(),
                        question.horizon(),
                        question.limit());
    }
}
