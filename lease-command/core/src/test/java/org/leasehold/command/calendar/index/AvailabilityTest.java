package org.leasehold.command.calendar.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.ClaimRetention;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.stored.PostgresCalendarFixture;
import org.leasehold.command.calendar.stored.SampleRequests;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.Availability.FindAvailability;
import org.leasehold.readmodel.capacity.Availability.Opening;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class AvailabilityTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture();
    private final Duration cleaning = Duration.ofMinutes(30);
    private final Calendar calendar = database.calendar(cleaning);
    private final Availability availability = database.availability(cleaning);

    @Test
    void the_first_opening_equals_the_next_start_of_a_refusal() {
        database.withHosts(2);
        hold(lease(hours(0, 2), hosts(1, 1)));
        hold(lease(hours(1, 5), hosts(1, 1)));
        List<Opening> openings = find(hosts(2, 2));
        assertThat(openings).hasSize(1);
        assertThat(openings.getFirst().starts().start())
                .isEqualTo(hours(0, 5).end().plus(cleaning));
        assertThat(openings.getFirst().free()).isEqualTo(2);
        Grant.HoldRefused refusal = (Grant.HoldRefused) hold(lease(hours(5, 6), hosts(2, 2)));
        assertThat(refusal.shortages().getFirst().nextStart())
                .isEqualTo(openings.getFirst().starts().start());
    }

    @Test
    void a_host_is_available_before_and_after_a_lease() {
        database.withHosts(1);
        hold(lease(hours(3, 4), hosts(1, 1)));
        List<Opening> openings = find(hosts(1, 1));
        assertThat(openings).hasSize(2);
        // An hour and half an hour of cleaning have to fit before three o'clock.
        assertThat(openings.getFirst().starts().contains(hours(0, 3).end().minusSeconds(5400)))
                .isTrue();
        assertThat(openings.getFirst().starts().contains(hours(0, 3).end().minusSeconds(5399)))
                .isFalse();
        assertThat(openings.get(1).starts().start()).isEqualTo(hours(0, 4).end().plus(cleaning));
    }

    @Test
    void only_matching_resources_in_service_are_available() {
        database.enrol(1, Map.of("gpu", "yes"));
        database.enrol(2, Map.of("gpu", "yes"));
        database.enrol(3, Map.of());
        assertThat(find(hosts(2, 2, having("gpu", "yes")))).hasSize(1);
        assertThat(find(hosts(3, 3, having("gpu", "yes")))).isEmpty();
        database.disable(2, "fan");
        assertThat(find(hosts(2, 2, having("gpu", "yes")))).isEmpty();
        assertThat(find(hosts(2, 2))).hasSize(1);
    }

    @Test
    void an_opening_requires_that_the_named_host_is_free() {
        database.withHosts(3);
        hold(lease(hours(0, 2), hosts(1, "host-2")));
        hold(lease(hours(1, 4), hosts(1, "host-1")));
        assertThat(find(hosts(1, "host-2")).getFirst().starts().start())
                .isEqualTo(hours(0, 2).end().plus(cleaning));
        assertThat(find(hosts(3, "host-2")).getFirst().starts().start())
                .isEqualTo(hours(0, 4).end().plus(cleaning));
        assertThat(find(hosts(1, "host-4"))).isEmpty();
    }

    @Test
    void only_expired_claims_are_deleted() {
        database.withHosts(1);
        hold(lease(hours(0, 1), hosts(1, 1)));
        hold(lease(hours(2, 3), hosts(1, 1)));
        ClaimRetention retention = (ClaimRetention) calendar;
        assertThat(retention.deleteClaimsBefore(hours(0, 1).end(), 10)).isZero();
        assertThat(retention.deleteClaimsBefore(hours(0, 2).end(), 10)).isOne();
        assertThat(database.claims("")).hasSize(1);
    }

    private List<Opening> find(Demand demand) {
        return availability.find(
                new FindAvailability(demand, Duration.ofHours(1), NOON, hours(0, 9).end(), 10));
    }

    private Grant hold(SampleRequests.SampleLease lease) {
        return database.settle(calendar, lease.hold());
    }
}
