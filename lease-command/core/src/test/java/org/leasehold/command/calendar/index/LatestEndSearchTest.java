package org.leasehold.command.calendar.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.PostgresInventorySource;
import org.leasehold.command.calendar.stored.PostgresCalendarFixture;
import org.leasehold.command.calendar.stored.SampleRequests.SampleLease;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.capacity.LatestEnds;
import org.leasehold.readmodel.capacity.LatestEnds.LatestEnd;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

class LatestEndSearchTest {

    private static final int HOSTS = 3;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final PostgresCalendarFixture database = new PostgresCalendarFixture();
    private final Duration cleaning = Duration.ofMinutes(30);
    private final Calendar calendar = database.calendar(cleaning);
    private final LatestEnds latestEnds =
            new LatestEndSearch(
                    new InventoryCache(new PostgresInventorySource(database.jdbc)),
                    new PostgresClaims(database.jdbc, cleaning));
    private final Map<SampleLease, List<Allocation>> held = new LinkedHashMap<>();

    @Test
    void the_next_booking_of_a_host_less_the_cleaning_is_the_latest_end() {
        database.withHosts(1);
        SampleLease lease = held(lease(hours(0, 1), hosts(1, 1)));
        held(lease(hours(5, 6), hosts(1, 1)));
        held(lease(hours(3, 4), hosts(1, 1)));

        assertThat(latestEnd(lease))
                .isEqualTo(new LatestEnd(hours(0, 3).end().minus(cleaning), new ResourceId(1)));
    }

    @Test
    void a_lease_without_a_later_booking_has_no_latest_end() {
        database.withHosts(2);
        SampleLease lease = held(lease(hours(0, 1), hosts(1, "host-1")));
        held(lease(hours(1, 2), hosts(1, "host-2")));

        assertThat(latestEnd(lease)).isEqualTo(LatestEnd.UNLIMITED);
    }

    @Test
    void the_first_host_that_is_needed_limits_a_lease_of_several_hosts() {
        database.withHosts(2);
        SampleLease lease = held(lease(hours(0, 1), hosts(2, 2)));
        held(lease(hours(7, 8), hosts(1, "host-1")));
        held(lease(hours(5, 6), hosts(1, "host-2")));

        assertThat(latestEnd(lease))
                .isEqualTo(new LatestEnd(hours(0, 5).end().minus(cleaning), new ResourceId(2)));
    }

    @Test
    void the_cleaning_of_a_removed_reservation_limits_no_lease() {
        database.withHosts(2);
        SampleLease lease = lease(hours(0, 1), hosts(1, "host-1"), hosts(1, "host-2"));
        Grant granted = database.settle(calendar, lease.hold());
        database.settle(calendar, lease.takeUp(granted));
        ReservationId removed = lease.reservations().getLast();
        Instant removedAt = lease.period().end().minus(MINUTE);
        database.settle(calendar, new Shorten(lease.id(), List.of(removed), removedAt));
        held(lease(hours(3, 4), hosts(1, "host-2")));

        assertThat(latestEnds.find(lease.id(), Set.of(lease.reservation()), lease.period().end()))
                .isEqualTo(LatestEnd.UNLIMITED);
        assertThat(latestEnd(lease).at()).isNotNull();
    }

    @Test
    void a_host_out_of_service_keeps_the_present_end() {
        database.withHosts(1);
        SampleLease lease = held(lease(hours(0, 1), hosts(1, 1)));
        database.disable(1, "fan");

        assertThat(latestEnd(lease))
                .isEqualTo(new LatestEnd(lease.period().end(), new ResourceId(1)));
        assertThat(keeps(lease, lease.period().end().plus(MINUTE))).isFalse();
    }

    @Test
    void a_share_is_limited_once_the_others_leave_too_little() {
        database.withHosts(1);
        SampleLease lease = held(lease(hours(0, 1), slots(1, 20), slots(1, 20)));
        held(lease(hours(2, 8), slots(1, 24)));
        held(lease(hours(4, 5), slots(1, 1), slots(1, 3)));

        assertThat(latestEnd(lease).at()).isEqualTo(hours(0, 4).end().minus(cleaning));
    }

    @Test
    void a_share_of_a_host_that_has_shrunk_keeps_the_present_end() {
        database.withHosts(1);
        SampleLease lease = held(lease(hours(0, 1), slots(1, 40)));
        database.describe(1, Map.of("vcpus", 32));

        assertThat(latestEnd(lease).at()).isEqualTo(lease.period().end());
        assertThat(keeps(lease, lease.period().end().plus(MINUTE))).isFalse();
    }

    /** Compares with changes of a running lease. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void the_calendar_accepts_the_latest_end_and_refuses_a_later_one(long seed) {
        Random random = new Random(seed);
        database.withHosts(HOSTS);
        for (int i = 0; i < 30; i++) {
            SampleLease lease = lease(period(random), demand(random));
            hold(lease);
        }
        List<Instant> limits = new ArrayList<>();

        held.keySet()
                .forEach(
                        lease -> {
                            Instant latest = latestEnd(lease).at();
                            if (latest != null) {
                                limits.add(latest);
                                assertThat(keeps(lease, latest.plus(MINUTE))).isFalse();
                                assertThat(keeps(lease, latest)).isTrue();
                                // Back, for the other leases.
                                assertThat(keeps(lease, lease.period().end())).isTrue();
                            } else {
                                assertThat(keeps(lease, hours(0, 1000).end())).isTrue();
                                assertThat(keeps(lease, lease.period().end())).isTrue();
                            }
                        });

        assertThat(limits).hasSizeGreaterThan(3);
    }

    /** Returns whether the calendar grants another end with the same allocations. */
    private boolean keeps(SampleLease lease, Instant end) {
        List<Allocation> allocations = held.getOrDefault(lease, List.of());
        List<Long> current =
                allocations.stream().map(allocation -> allocation.resource().value()).toList();
        LeasePeriod period = new LeasePeriod(lease.period().start(), end);
        return database.settle(
                                calendar,
                                lease.change(period, lease.demands().getFirst(), current, true))
                        instanceof Grant.Held granted
                && granted.allocations().get(lease.reservation()).equals(allocations);
    }

    private static LeasePeriod period(Random random) {
        int start = random.nextInt(40);
        return hours(start, start + random.nextInt(1, 6));
    }

    private static Demand demand(Random random) {
        int hosts = random.nextInt(1, HOSTS);
        return random.nextInt(3) == 0
                ? hosts(hosts, hosts)
                : slots(random.nextInt(1, 3), random.nextLong(5, 40), Demand.Spread.TOGETHER);
    }

    private LatestEnd latestEnd(SampleLease lease) {
        return latestEnds.find(lease.id(), Set.copyOf(lease.reservations()), lease.period().end());
    }

    private SampleLease held(SampleLease lease) {
        assertThat(hold(lease)).isTrue();
        return lease;
    }

    private boolean hold(SampleLease lease) {
        if (database.settle(calendar, lease.hold()) instanceof Grant.Held granted) {
            held.put(lease, granted.allocations().get(lease.reservation()));
            return true;
        }
        return false;
    }
}
