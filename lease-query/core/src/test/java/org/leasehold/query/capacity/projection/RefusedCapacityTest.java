package org.leasehold.query.capacity.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.window;
import static org.leasehold.query.capacity.projection.RequestedFilters.ONLY_FAST;
import static org.leasehold.query.capacity.projection.RequestedFilters.filter;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.vocabulary.LeasePeriod;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The refusals in the answers about capacity. */
class RefusedCapacityTest extends CapacityTablesFixture {

    @Test
    void a_refusal_counts_over_the_requested_window() {
        refuse(0, 7, "", 3, 30, 90);
        follow();

        assertThat(first(ask(minute(0), minute(60))).refused()).isEqualByComparingTo("1.5");
    }

    @Test
    void a_refusal_counts_for_a_selection_of_all_suitable_hosts() {
        label(1, "ssd", "yes");
        label(3, "ssd", "yes");
        refuse(0, 7, ONLY_FAST, 3, 0, 60);
        refuse(0, 8, filter("gpu", "V100"), 5, 0, 60);
        follow();

        assertThat(refused("west", Requirement.none(), null)).containsExactly("null=3");
        assertThat(refused("east", Requirement.none(), null)).containsExactly("null=0");
        assertThat(refused(null, FAST, null)).containsExactly("null=3");
        assertThat(refused("west", FAST, "gpu")).containsExactly("V100=3");
        assertThat(refused(null, V100, null)).containsExactly("null=8");
        assertThat(refused(null, Requirement.none(), "gpu")).containsExactly("V100=8");
        assertThat(refused(null, V100, "zone")).containsExactly("east=0", "west=3", "null=5");
        assertThat(refused(null, Requirement.none(), "zone"))
                .containsExactly("east=0", "west=3", "null=5");
    }

    @Test
    void a_refusal_without_suitable_hosts_counts_for_the_whole_kind() {
        refuse(0, 7, filter("gpu", "H100"), 3, 0, 60);
        refuse(0, 8, filter("hypervisor_hostname", "compute-1"), 5, 0, 60);
        follow();

        assertThat(refused(null, Requirement.none(), null)).containsExactly("null=8");
        assertThat(refused(null, Requirement.none(), "gpu")).containsExactly("V100=0", "null=8");
        assertThat(refused(null, V100, null)).containsExactly("null=0");
        assertThat(refused(null, V100, "zone")).containsExactly("east=0", "west=0");
    }

    @Test
    void a_later_suitable_host_does_not_affect_an_earlier_as_of_query() {
        label(1, "ssd", "yes");
        refuse(0, 7, ONLY_FAST, 3, 0, 60);
        long before = journal.database.head();
        label(2, "ssd", "yes");
        follow();

        AskCapacity west =
                question("west", Requirement.none(), null, minute(0), minute(60), 1, null);
        assertThat(first(west).refused()).isEqualByComparingTo("0");
        assertThat(first(asOf(west, before)).refused()).isEqualByComparingTo("3");
    }

    @Test
    void a_refused_change_counts_by_the_requested_filter() {
        label(1, "ssd", "yes");
        journal.book(1, "astronomy", window(0, 60), host(1));
        journal.append(0, changeRefusal(1, ONLY_FAST, 2, window(0, 60)));
        follow();

        assertThat(refused(null, FAST, null)).containsExactly("null=1");
        assertThat(violations()).isEmpty();
    }

    @Test
    void a_refused_change_does_not_count_hosts_that_the_lease_has() {
        journal.book(1, "astronomy", window(0, 60), host(1));
        follow();
        journal.append(30, changeRefusal(1, "", 3, window(0, 90)));
        follow();

        assertThat(first(ask(minute(0), minute(60))).refused()).isEqualByComparingTo("1");
        assertThat(first(ask(minute(60), minute(120))).refused()).isEqualByComparingTo("1.5");
        assertThat(violations()).isEmpty();
    }

    private static LeaseChangeRefused changeRefusal(
            long lease, String filter, int wanted, LeasePeriod period) {
        return new LeaseChangeRefused(
                lease(lease),
                period,
                List.of(wish(lease, filter)),
                List.of(shortage(lease, ResourceKind.PHYSICAL_HOST, wanted, period)),
                0);
    }

    @Test
    void a_refused_server_counts_for_the_requested_zone() {
        journal.enrol(8, "virtual:server");
        journal.enrol(9, "virtual:server");
        journal.append(
                0,
                refusal(
                        7,
                        new ReservationWish(
                                reservation(7),
                                ResourceKind.SERVER,
                                Map.of(
                                        "server_id",
                                        "00000000-0000-0000-0000-000000000007",
                                        "server",
                                        Map.of(
                                                "availability_zone",
                                                "east",
                                                "vcpus",
                                                4,
                                                "memory_mb",
                                                512,
                                                "local_gb",
                                                10))),
                        shortage(7, ResourceKind.SERVER, 1, window(0, 60))));
        follow();

        assertThat(refused(ResourceKind.SERVER, null, Requirement.none(), "zone"))
                .containsExactly("east=1", "west=0");
    }

    @Test
    void the_groups_of_refusals_add_up_to_the_total() {
        live(new SplittableRandom(4), 100);
        List<Bucket> whole = capacities.findSeries(ask(FROM, TO)).getFirst().buckets();
        assertThat(whole).anyMatch(bucket -> bucket.refused().signum() > 0);

        for (String by : List.of("zone", "gpu", "ssd", "vcpus", "rack")) {
            List<Series> parts =
                    capacities.findSeries(
                            question(null, Requirement.none(), by, FROM, TO, 1, null));
            for (int hour = 0; hour < whole.size(); hour++) {
                int index = hour;
                assertThat(
                                parts.stream()
                                        .map(part -> part.buckets().get(index).refused())
                                        .reduce(BigDecimal.ZERO, BigDecimal::add))
                        .as("by %s in hour %d", by, hour)
                        .isCloseTo(whole.get(hour).refused(), within(new BigDecimal("0.00001")));
            }
        }
    }

    @Test
    void only_a_limited_number_of_requirements_is_distinguished() {
        label(1, "ssd", "yes");
        for (int i = 0; i < RefusedRequirement.MAX_DISTINCT_REQUESTS; i++) {
            refuse(0, 10 + i, filter("gpu", "G" + i), 1, 0, 60);
        }
        follow();
        refuse(0, 8, ONLY_FAST, 5, 0, 60);
        refuse(0, 9, filter("gpu", "G0"), 1, 0, 60);
        label(2, "gpu", "G0");
        follow();

        assertThat(refused(null, FAST, null)).containsExactly("null=0");
        assertThat(refused(null, Requirement.none(), "gpu"))
                .containsExactly(
                        "G0=2",
                        "V100=0",
                        "null=" + (RefusedRequirement.MAX_DISTINCT_REQUESTS - 1 + 5));
        assertThat(violations()).isEmpty();
        List<List<Map<String, Object>>> before = rows();
        rebuild();
        assertThat(rows()).isEqualTo(before);
        journal.jdbc()
                .update(
                        "INSERT INTO capacity_pool VALUES (?, ?, NULL, NULL, '{}', ?)",
                        CapacityPool.ofRequest(
                                        ResourceKind.PHYSICAL_HOST, "[\"==\",\"$ssd\",\"yes\"]")
                                .id(),
                        "physical:host",
                        "[\"==\",\"$ssd\",\"yes\"]");
        assertThat(violations()).isNotEmpty();
    }

    @Test
    void refusals_beyond_the_range_of_a_long_are_counted() {
        // In milliseconds that exceeds a long.
        int times = 1300;
        for (int i = 0; i < times; i++) {
            refuse(0, 7 + i, "", Integer.MAX_VALUE, 0, 60);
        }
        follow();

        BigDecimal all = new BigDecimal((long) times * Integer.MAX_VALUE);
        AskCapacity now = ask(minute(0), minute(60));
        assertThat(first(now).refused()).isEqualByComparingTo(all);
        assertThat(first(asOf(now, journal.database.head())).refused()).isEqualByComparingTo(all);
        assertThat(violations()).isEmpty();
    }
}
